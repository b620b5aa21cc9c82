// Everything else about a message, by name.
import { html, nothing } from "../kit/html.js";
import { bytes, whole } from "../kit/format.js";
import { foreign } from "./text.js";

export function facts(message) {
  const headers = Object.entries(message.headers ?? {});
  const done = message.completedDestinations ?? [];
  return html`<section class="panel" aria-labelledby="facts">
      <div class="panel-head"><h2 id="facts">Facts</h2></div>
      <dl class="facts">
        ${fact("Topic", foreign(message.topic, 1_000))} ${fact("Key", foreign(message.key, 1_000))} ${fact("Type", foreign(message.type, 1_000))}
        ${message.tenant ? fact("Tenant", foreign(message.tenant, 1_000)) : nothing} ${fact("Sequence", whole(message.seq))} ${fact("Lane", message.lane)}
        ${fact("Attempts", whole(message.attempts))} ${message.crashes ? fact("Crashes while under way", whole(message.crashes)) : nothing}
        ${done.length ? fact("Delivered to", foreign(done.join(", "), 1_000)) : nothing} ${message.released ? fact("Released", "yes: goes out of order, holds nobody") : nothing}
        ${message.source ? fact("Source", foreign(message.source, 1_000)) : nothing} ${fact("Content type", foreign(message.contentType, 200))}
        ${message.contentEncoding ? fact("Encoding", foreign(message.contentEncoding, 200)) : nothing} ${fact("Payload", bytes(message.payloadBytes))}
      </dl>
    </section>
    <section class="panel" aria-labelledby="headers">
      <div class="panel-head"><h2 id="headers">Headers</h2></div>
      ${headers.length ? html`<dl class="facts">${headers.map(([name, value]) => fact(foreign(name, 200), foreign(value, 2_000)))}</dl>` : html`<p class="none pad">It has none.</p>`}
    </section>`;
}

function fact(name, value) {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}
