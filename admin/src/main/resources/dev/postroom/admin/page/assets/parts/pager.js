// Pages of a list that may have a million entries, of which the first 10,000 can be paged through.
import { html, nothing } from "../kit/html.js";
import { count, EXACT_UP_TO, SEARCHED, whole } from "../kit/format.js";
import { icon } from "./icons.js";

/** What a list says where it ends because older messages were not looked at. */
export function unsearched(list, status) {
  if (list.complete !== false) {
    return nothing;
  }
  const wayOn = status === "processed" || status === "skipped" ? "Search for an older one by its whole id." : "Narrow by status, or by tenant and key, to reach older ones.";
  return html`<p class="hint" role="note">Only the newest ${whole(SEARCHED)} or so were searched. ${wayOn}</p>`;
}

/** `to(page)` gives the address of another page. */
export function pager(list, to, status) {
  const { page, pageSize } = list;
  const first = page * pageSize + 1;
  const last = page * pageSize + list.items.length;
  const known = list.total !== null && list.total !== undefined;
  const more = known ? last < list.total : list.items.length === pageSize;
  const reachable = (page + 1) * pageSize <= EXACT_UP_TO;
  return html`<nav class="pager" aria-label="Pages of this list">
    <p>
      ${list.items.length === 0 ? "Nothing on this page" : html`${whole(first)}–${whole(last)}`}
      ${known ? html`of ${count(list.total, list.totalIsExact !== false)}` : nothing}
    </p>
    ${page > 0 ? html`<a class="button small" rel="prev" href=${to(page - 1)}>${icon("left")}Newer</a>` : nothing}
    ${more && reachable ? html`<a class="button small" rel="next" href=${to(page + 1)}>Older${icon("right")}</a>` : nothing}
    ${more && !reachable ? html`<p class="hint">Only the first ${whole(EXACT_UP_TO)} can be paged through: narrow the filter.</p>` : nothing}
    ${unsearched(list, status)}
  </nav>`;
}
