// Messages that no relay sends any more, until somebody decides.
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

const PAGE_SIZE = 50;
const FIXED = { status: "dead" };

export function deadLetters(first) {
  let route = first;
  trail.list = location.hash;
  const query = () => ({ ...queryOf(route), ...FIXED });
  const list = new Live((signal) => get("messages", { ...query(), page: route.query.page, pageSize: PAGE_SIZE }, signal), 5_000).start();
  return {
    title: () => "Dead letters",
    move(next) {
      route = next;
      trail.list = location.hash;
      list.refresh();
    },
    view: () => html`${heading("Dead letters", "Their attempts ran out, or their destination refused them for good. Mend the cause, then requeue them.", list.data?.items.length ? bulk(query()) : nothing)}
      ${filters("dead", route, FIXED)}
      <div aria-busy=${list.isBusy ? "true" : "false"}>${shown(list, (data) => contents(data, route), 8)}</div>`,
    close: () => list.stop(),
  };
}

function contents(data, route) {
  if (data.items.length === 0) {
    return Object.keys(queryOf(route)).length > 0
      ? html`${empty("No dead letter fits", "Take a filter away to see the others.", "search", html`<a class="button small" href=${address("dead")}>Clear all filters</a>`)} ${unsearched(data, "dead")}`
      : empty("No dead letters", "Every message was delivered or is still being tried.");
  }
  return html`${messageTable(data.items, "Dead letters, newest first")} ${pager(data, (page) => address("dead", { ...route.query, page: page || "" }))}`;
}

function bulk(query) {
  if (!mayChange()) {
    return nothing;
  }
  const narrowed = Object.keys(query).length > 1 ? "these" : "all";
  const all = (kind, verb) => () => changeMatching(kind, filterOf(query), `${verb} ${narrowed} dead letters`);
  return html`<button type="button" class="primary" @click=${all("retry", "Requeue")}>${icon("retry")}Requeue ${narrowed}…</button>
    <button type="button" class="danger-quiet" @click=${all("skip", "Discard")}>${icon("skip")}Discard ${narrowed}…</button>
    <button type="button" class="danger-quiet" @click=${all("delete", "Delete")}>${icon("trash")}Delete ${narrowed}…</button>`;
}
