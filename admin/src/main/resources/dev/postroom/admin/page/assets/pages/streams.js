// Streams that are held by a message that failed: nothing behind it goes out, so that order is kept.
import { html, nothing, repeat } from "../kit/html.js";
import { get, items } from "../kit/api.js";
import { count, plural } from "../kit/format.js";
import { Live } from "../kit/live.js";
import { address } from "../kit/router.js";
import { mayChange } from "../kit/session.js";
import { changeOne, releaseStream } from "../parts/actions.js";
import { messageStatus } from "../parts/badge.js";
import { heading } from "../parts/heading.js";
import { icon } from "../parts/icons.js";
import { empty, shown } from "../parts/states.js";
import { age, foreign, messageLink, reason, streamName } from "../parts/text.js";

/** The server tells no more at once. */
const MOST = 100;

export function streams() {
  const blocked = new Live((signal) => get("streams/blocked", {}, signal), 4_000).start();
  return {
    title: () => "Streams",
    view: () => html`${heading("Blocked streams", "A stream is all messages of one key, whatever their topics. While one of them fails, the later ones wait, so that they arrive in order. Held longest first.")}
      ${shown(blocked, (data) => list(items(data)))}`,
    close: () => blocked.stop(),
  };
}

function list(blocked) {
  if (blocked.length === 0) {
    return empty("No stream is blocked", "Every key's messages go out in order.");
  }
  return html`<ul class="cards">
    ${repeat(blocked, (stream) => `${stream.tenant} ${stream.key}`, card)}
    ${blocked.length >= MOST ? html`<li class="hint">Only the ${MOST} held longest are shown.</li>` : nothing}
  </ul>`;
}

function card(stream) {
  const head = { id: stream.headId, tenant: stream.tenant, topic: stream.headTopic, key: stream.key };
  const behind = stream.waiting ?? null;
  return html`<li class="card">
    <div class="card-head">
      <div>
        <h2>${streamName(stream)}</h2>
        <p class="sub">held for ${age(stream.since)}${behind === null ? nothing : html` · ${plural(behind, "message")} ${behind === 1 ? "waits" : "wait"} behind it`}${stream.holders > 1 ? html` · ${count(stream.holders)} messages hold it` : nothing}</p>
      </div>
      <p class="tags">${messageStatus(stream.headStatus)}</p>
    </div>
    <p>${stream.reason ? reason(stream.reason) : "Failed"} in ${messageLink(stream.headId, `message ${String(stream.headId).slice(0, 8)}`)} of topic <span class="topic">${foreign(stream.headTopic)}</span></p>
    ${stream.errorSnippet ? html`<pre class="error">${foreign(stream.errorSnippet, 600)}</pre>` : nothing}
    <div class="actions">
      <a class="button small" href=${address("messages", { key: stream.key, tenant: stream.tenant })}>${icon("messages")}Show its messages</a>
      ${mayChange()
        ? html`<button type="button" class="small" @click=${() => changeOne("retry", head)}>${icon("retry")}Requeue the first</button>
            <button type="button" class="small danger-quiet" @click=${() => changeOne("skip", head)}>${icon("skip")}Skip the first</button>
            <button type="button" class="small" @click=${() => releaseStream(stream)}>${icon("release")}Release</button>`
        : nothing}
    </div>
  </li>`;
}
