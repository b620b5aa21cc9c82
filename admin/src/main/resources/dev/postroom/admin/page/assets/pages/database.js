// What the outbox is to its database.
import { html, nothing } from "../kit/html.js";
import { get } from "../kit/api.js";
import { bytes, count, duration, utc, whole } from "../kit/format.js";
import { Live } from "../kit/live.js";
import { heading } from "../parts/heading.js";
import { empty, shown } from "../parts/states.js";
import { foreign } from "../parts/text.js";

const LONG_TRANSACTION_SECONDS = 60;

export function database() {
  const state = new Live((signal) => get("database", {}, signal), 10_000).start();
  return {
    title: () => "Database",
    view: () => html`${heading("Database", "Row counts are the database's own estimates, so that asking costs the same whatever the size.")} ${shown(state, contents)}`,
    close: () => state.stop(),
  };
}

function contents(data) {
  return html`<dl class="summary">
      <div><dt>Product</dt><dd>${foreign(data.product)}</dd></div>
      <div><dt>Schema version</dt><dd>${whole(data.schemaVersion)}</dd></div>
      ${transaction(data)}
    </dl>
    ${tables(data.tables ?? [])} ${partitions(data.partitions ?? [])}`;
}

function transaction(data) {
  const seconds = data.oldestTransactionSeconds;
  const long = seconds !== null && seconds !== undefined && seconds > LONG_TRANSACTION_SECONDS;
  return html`<div data-tone=${long ? "warn" : "calm"}>
    <dt>Oldest transaction</dt>
    <dd>
      ${seconds === null || seconds === undefined ? "none" : duration(seconds)}
      ${data.oldestTransaction ? html`<span class="sub">${foreign(data.oldestTransaction, 300)}</span>` : nothing}
      ${long ? html`<span class="sub">Dead rows cannot be cleaned away while it is open: end it if it was forgotten.</span>` : nothing}
    </dd>
  </div>`;
}

function tables(list) {
  if (list.length === 0) {
    return empty("The database tells nothing about its tables", "It may not be allowed to.", "database");
  }
  return html`<table class="rows">
    <caption>Tables</caption>
    <thead>
      <tr>
        <th scope="col">Table</th>
        <th scope="col" class="number">Rows</th>
        <th scope="col" class="number">Size</th>
        <th scope="col" class="number">Dead rows</th>
      </tr>
    </thead>
    <tbody>
      ${list.map(
        (table) => html`<tr>
          <th scope="row" data-label="Table"><code>${foreign(table.name)}</code></th>
          <td data-label="Rows" class="number">${count(table.rows)}</td>
          <td data-label="Size" class="number">${bytes(table.bytes)}</td>
          <td data-label="Dead rows" class="number">${count(table.deadRows)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Partitions go by days of UTC. */
function day(iso) {
  return iso ? utc(iso).replace(" 00:00:00", "") : "–";
}

function partitions(list) {
  if (list.length === 0) {
    return nothing;
  }
  return html`<table class="rows">
    <caption>Archive partitions</caption>
    <thead>
      <tr>
        <th scope="col">Partition</th>
        <th scope="col">From</th>
        <th scope="col">To</th>
        <th scope="col" class="number">Rows</th>
        <th scope="col" class="number">Size</th>
      </tr>
    </thead>
    <tbody>
      ${list.map(
        (one) => html`<tr>
          <th scope="row" data-label="Partition"><code>${foreign(one.name)}</code></th>
          <td data-label="From">${day(one.from)}</td>
          <td data-label="To">${day(one.to)}</td>
          <td data-label="Rows" class="number">${count(one.rows)}</td>
          <td data-label="Size" class="number">${bytes(one.bytes)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}
