// Who changed what, when and why.
import { html, repeat } from "../kit/html.js";
import { get, items } from "../kit/api.js";
import { whole } from "../kit/format.js";
import { Live } from "../kit/live.js";
import { address } from "../kit/router.js";
import { heading } from "../parts/heading.js";
import { pager } from "../parts/pager.js";
import { empty, shown } from "../parts/states.js";
import { ago, foreign, sentence } from "../parts/text.js";

const PAGE_SIZE = 50;
/** Beyond that nobody counts before an action. */
const COUNTED_UP_TO = 100_000;

export function audit(first) {
  let route = first;
  const entries = new Live((signal) => get("audit", { page: route.query.page, pageSize: PAGE_SIZE }, signal), 8_000).start();
  return {
    title: () => "Audit",
    move(next) {
      route = next;
      entries.refresh();
    },
    view: () => html`${heading("Audit", "Every change that somebody made, newest first.")} ${shown(entries, (data) => list(data, route))}`,
    close: () => entries.stop(),
  };
}

function list(data, route) {
  const all = items(data);
  if (all.length === 0) {
    return empty("Nobody has changed anything", "Requeues, releases, pauses and the like appear here with who, when and why.", "audit");
  }
  const page = { page: Number(route.query.page ?? 0), pageSize: PAGE_SIZE, items: all, total: data.total, totalIsExact: data.totalIsExact };
  return html`<table class="rows">
      <caption class="hidden">Changes, newest first</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Who</th>
          <th scope="col">What</th>
          <th scope="col">Why</th>
          <th scope="col" class="number">Changed</th>
        </tr>
      </thead>
      <tbody>
        ${repeat(all, (entry) => entry.seq, row)}
      </tbody>
    </table>
    ${pager(page, (n) => address("audit", { page: n || "" }))}`;
}

function row(entry) {
  return html`<tr>
    <td data-label="When">${ago(entry.at)}</td>
    <td data-label="Who">${foreign(entry.actor)} <span class="sub">${foreign(entry.databaseUser)}</span></td>
    <th scope="row" data-label="What"><span class="main">${foreign(entry.action)}</span> <span class="sub clamp">${sentence(entry.target)}</span>
      ${entry.oldState ? html`<span class="sub">${foreign(entry.oldState)} → ${foreign(entry.newState)}</span>` : ""}</th>
    <td data-label="Why">${foreign(entry.reason, 500)}</td>
    <td data-label="Changed" class="number">
      ${whole(entry.changed)}${entry.matched > entry.changed ? html` <span class="sub">of ${entry.matched === COUNTED_UP_TO ? "at least " : ""}${whole(entry.matched)}</span>` : ""}
      ${entry.failed > 0 ? html`<span class="sub">${whole(entry.failed)} failed</span>` : ""}
    </td>
  </tr>`;
}
