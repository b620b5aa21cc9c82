// Who delivers, and which lanes each one owns.
import { html, nothing, repeat } from "../kit/html.js";
import { get, items } from "../kit/api.js";
import { now } from "../kit/clock.js";
import { plural, whole } from "../kit/format.js";
import { Live } from "../kit/live.js";
import { badge } from "../parts/badge.js";
import { heading } from "../parts/heading.js";
import { empty, shown } from "../parts/states.js";
import { ago, at, code, foreign } from "../parts/text.js";

/** Commands are copied: whole, or they are none. */
const LONGEST_COMMAND = 4_000;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export function relays() {
  const nodes = new Live((signal) => get("nodes", {}, signal), 4_000).start();
  const lanes = new Live((signal) => get("lanes", {}, signal), 4_000).start();
  const routing = new Live((signal) => get("routing", {}, signal), 15_000).start();
  return {
    title: () => "Relays",
    view: () => html`${heading("Relays", "They share the lanes among themselves; a dead relay's lanes are taken over when its lease ends.")} ${shown(nodes, (data) => table(items(data)))}
      ${shown(routing, differences)}
      ${shown(lanes, (data) => laneMap(items(data), nodes.data === null ? [] : items(nodes.data)))}`,
    close: () => [nodes, lanes, routing].forEach((one) => one.stop()),
  };
}

function table(nodes) {
  if (nodes.length === 0) {
    return empty("No relay has reported", "Nothing is sent. Start one: ./postroom serve, or inside your application.", "relays");
  }
  return html`<table class="rows">
    <caption class="hidden">Relays</caption>
    <thead>
      <tr>
        <th scope="col">State</th>
        <th scope="col">Relay</th>
        <th scope="col" class="number">Lanes</th>
        <th scope="col" class="number">In flight</th>
        <th scope="col" class="number">In memory</th>
        <th scope="col">Started</th>
        <th scope="col">Last seen</th>
      </tr>
    </thead>
    <tbody>
      ${repeat(nodes, (node) => node.node, (node, i) => row(node, i))}
    </tbody>
  </table>`;
}

function row(node, i) {
  const details = node.details ?? {};
  const held = details.held ?? [];
  return html`<tr>
    <td data-label="State">${node.alive ? badge("ok", "ok", "Alive") : badge("bad", "bad", "Gone")}</td>
    <th scope="row" data-label="Relay">
      <span class="main"><span class="letter" data-letter=${i % 6}>${letter(i)}</span> ${foreign(node.node)}</span>
      <span class="sub">${foreign(node.host)} · version ${foreign(node.version)}${held.length ? html` · ${whole(held.length)} held` : nothing}${details.standsByFor ? html` · stands by: its routes differ from those of ${foreign(details.standsByFor)}` : nothing}</span>
    </th>
    <td data-label="Lanes" class="number">${whole(node.lanes)}</td>
    <td data-label="In flight" class="number">${whole(details.inFlight)}</td>
    <td data-label="In memory" class="number">${whole(details.inMemory)}</td>
    <td data-label="Started">${ago(node.startedAt)}</td>
    <td data-label="Last seen">${ago(node.lastSeen)}</td>
  </tr>`;
}

/** What an operator may want to know of the routes: nothing, as long as all relays agree and no destination joined. */
function differences({ handover, joined, moreJoined, standingBy, addresses }) {
  return joined.length + addresses.length + standingBy.length === 0 && !handover ? nothing : html`<section class="panel" aria-labelledby="routing">
    <div class="panel-head">
      <h2 id="routing">Routing</h2>
      <p class="sub">${plural(joined.length + moreJoined, "destination")} joined, ${plural(addresses.length, "destination")} with different addresses</p>
    </div>
    ${standingBy.map(difference)}
    ${handover ? html`<p class="pad">Lanes are still being handed over to the routes in force. Destinations that joined are shown afterwards.</p>` : nothing}
    ${joined.map((one) => html`<p class="pad">${foreign(one.destination)} receives ${foreign(one.topic)} since ${at(one.since)}. What was delivered before went without it; to send that as well: ${code(one.replay, LONGEST_COMMAND)}</p>`)}
    ${moreJoined > 0 ? html`<p class="pad">${whole(moreJoined)} more joined, ${whole(joined.length + moreJoined)} in all: replay by route (<code>postroom replay --route</code>) to reach those as well.</p>` : nothing}
    ${addresses.map((one) => html`<p class="pad">Relays reach ${foreign(one.destination)} at different addresses: ${one.addresses.map((it, i) => html`${i ? ", " : ""}${code(it.address)} (${foreign(it.relays.join(", "))})`)}</p>`)}
  </section>`;
}

/** Against the routes in force: “+” has only this relay, “−” has only those. */
function difference(relay) {
  const lines = [...relay.only.map((line) => `+ ${line}`), ...relay.missing.map((line) => `− ${line}`)];
  return html`<div class="pad">
    <p>${foreign(relay.node)} stands by for ${foreign(relay.standsByFor)}, whose routes are in force (reported ${ago(relay.asOf)}). Its routes (+) against those (−):</p>
    ${lines.length ? html`<ul class="conditions">${lines.map((line) => html`<li>${code(line, LONGEST_COMMAND)}</li>`)}</ul>` : nothing}
    ${relay.unknown ? html`<p class="hint">Not all routes of both are recorded.</p>` : lines.length ? nothing : html`<p class="hint">The same routes in another order.</p>`}
  </div>`;
}

function letter(i) {
  return i < 0 ? "?" : i < LETTERS.length ? LETTERS[i] : String(i + 1);
}

function laneMap(lanes, nodes) {
  const expired = lanes.filter(isExpired).length;
  const free = lanes.filter((lane) => !lane.owner).length;
  return html`<section class="panel" aria-labelledby="lanes">
    <div class="panel-head">
      <h2 id="lanes">Lanes</h2>
      <p class="sub">${plural(lanes.length, "lane")}, ${free ? `${free} without an owner` : "each with an owner"}${expired ? `, ${expired} with a lease that ended` : ""}</p>
    </div>
    <ul class="lanes">
      ${lanes.map((lane) => cell(lane, nodes))}
    </ul>
    <p class="hint pad">The letter is the relay's in the list above. “–” means that nobody owns the lane, “!” that its owner's lease has ended and another relay should take it over.</p>
  </section>`;
}

function isExpired(lane) {
  return Boolean(lane.owner) && Boolean(lane.leaseUntil) && Date.parse(lane.leaseUntil) < now();
}

function cell(lane, nodes) {
  const i = nodes.findIndex((node) => node.node === lane.owner);
  const sign = !lane.owner ? "–" : isExpired(lane) ? "!" : letter(i);
  const state = !lane.owner ? "free" : isExpired(lane) ? "expired" : "owned";
  const says = !lane.owner ? "nobody's" : isExpired(lane) ? `lease of ${lane.owner} has ended` : `owned by ${lane.owner}`;
  return html`<li data-state=${state} data-letter=${i < 0 ? nothing : i % 6} title="Lane ${lane.lane}: ${says}, epoch ${lane.epoch}"><span class="lane-number">${lane.lane}</span><span>${sign}</span></li>`;
}
