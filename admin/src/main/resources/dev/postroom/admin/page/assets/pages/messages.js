// Find a message, or all that have something in common.
import { html, nothing } from "../kit/html.js";
import { get } from "../kit/api.js";
import { Live } from "../kit/live.js";
import { address } from "../kit/router.js";
import { trail } from "../kit/trail.js";
import { mayChange } from "../kit/session.js";
import { changeMatching } from "../parts/actions.js";
import { filterOf, filters, queryOf } from "../parts/filters.js";
import { heading } from "../parts/heading.js";
import { icon } from "../parts/icons.js";
import { messageTable } from "../parts/message-table.js";
import { pager, unsearched } from "../parts/pager.js";
import { empty, shown } from "../parts/states.js";

const STATUSES = [
  ["", "Not delivered"],
  ["pending", "Pending"],
  ["in-flight", "In flight"],
  ["scheduled", "Scheduled"],
  ["blocked", "Blocked"],
  ["failed", "Failed"],
  ["dead", "Dead"],
  ["processed", "Delivered"],
  ["skipped", "Skipped"],
];
const ARCHIVED = ["processed", "skipped"];
const PAGE_SIZE = 50;

export function messages(first) {
  let route = first;
  trail.list = location.hash;
  const list = new Live((signal) => get("messages", { ...queryOf(route), page: route.query.page, pageSize: PAGE_SIZE }, signal), 5_000).start();
  return {
    title: () => "Messages",
    move(next) {
      route = next;
      trail.list = location.hash;
      list.refresh();
    },
    view: () => html`${heading("Messages", nothing, bulk(route))} ${statuses(route)} ${filters("messages", route)}
      <div aria-busy=${list.isBusy ? "true" : "false"}>${shown(list, (data) => contents(data, route), 8)}</div>`,
    close: () => list.stop(),
  };
}

function contents(data, route) {
  if (data.items.length === 0) {
    const filtered = Object.keys(queryOf(route)).length > 0;
    return filtered
      ? html`${empty("No message fits", "Take a filter away, or look under another status.", "search", html`<a class="button small" href=${address("messages")}>Clear all filters</a>`)} ${unsearched(data, route.query.status)}`
      : empty("Nothing waits", "Everything that was published has been delivered. Look under Delivered for what went out.");
  }
  return html`${messageTable(data.items, "Messages, newest first")} ${pager(data, (page) => address("messages", { ...route.query, page: page || "" }), route.query.status)}`;
}

function statuses(route) {
  const status = route.query.status ?? "";
  return html`<nav class="tabs" aria-label="Status">
    <ul>
      ${STATUSES.map(
        ([value, label]) =>
          html`<li><a href=${address("messages", { ...route.query, status: value, page: "" })} aria-current=${status === value ? "true" : "false"}>${label}</a></li>`,
      )}
    </ul>
  </nav>`;
}

/** Only for a filter that says something: nobody changes the whole outbox by one button. */
function bulk(route) {
  const query = queryOf(route);
  if (!mayChange() || Object.keys(query).length === 0 || ARCHIVED.includes(query.status)) {
    return nothing;
  }
  const all = (kind, title) => () => changeMatching(kind, filterOf(query), title);
  return html`<button type="button" class="small" @click=${all("retry", "Requeue all that fit")}>${icon("retry")}Requeue all…</button>
    <button type="button" class="small danger-quiet" @click=${all("dead-letter", "Dead-letter all that fit")}>${icon("dead")}Dead-letter all…</button>
    <button type="button" class="small danger-quiet" @click=${all("skip", "Discard all that fit")}>${icon("skip")}Discard all…</button>`;
}
