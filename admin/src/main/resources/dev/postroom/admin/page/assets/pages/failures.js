// Failures alike, together: one cause, one decision.
import { html, nothing, repeat } from "../kit/html.js";
import { get, items } from "../kit/api.js";
import { plural, whole } from "../kit/format.js";
import { Live } from "../kit/live.js";
import { address } from "../kit/router.js";
import { mayChange } from "../kit/session.js";
import { changeGroup, groupFilter } from "../parts/actions.js";
import { badge } from "../parts/badge.js";
import { heading } from "../parts/heading.js";
import { icon } from "../parts/icons.js";
import { empty, shown } from "../parts/states.js";
import { ago, foreign, messageLink, reason } from "../parts/text.js";

export function failures() {
  const groups = new Live((signal) => get("failures", {}, signal), 5_000).start();
  return {
    title: () => "Failures",
    view: () => html`${heading("Failures", "Grouped by reason, topic and error text, without the numbers and ids that differ each time.")}
      ${shown(groups, (data) => list(items(data)))}`,
    close: () => groups.stop(),
  };
}

function list(groups) {
  if (groups.length === 0) {
    return empty("Nothing fails", "No message has failed that is still waiting or dead.");
  }
  return html`<ul class="cards">
    ${repeat(groups, (group) => `${group.reason} ${group.topic} ${group.fingerprint}`, card)}
  </ul>`;
}

function card(group) {
  const waiting = group.count - group.dead;
  return html`<li class="card group">
    <div class="card-head">
      <p class="many">${whole(group.count)}<span class="hidden"> messages</span></p>
      <div>
        <h2>${reason(group.reason)}</h2>
        <p class="sub"><span class="topic">${foreign(group.topic)}</span> · latest ${ago(group.latest)}</p>
      </div>
      <p class="tags">
        ${group.dead ? badge("bad", "bad", `${whole(group.dead)} dead`) : nothing} ${waiting > 0 ? badge("warn", "retry", `${whole(waiting)} tried again`) : nothing}
      </p>
    </div>
    <p class="fingerprint">${foreign(group.fingerprint)}</p>
    <details>
      <summary>Sample</summary>
      <p>${messageLink(group.sampleId, `Message ${group.sampleId}`)}</p>
      <pre class="error">${foreign(group.sampleError, 2_000)}</pre>
    </details>
    <div class="actions">
      <a class="button small" href=${address("messages", groupFilter(group))}>${icon("messages")}Show ${plural(group.count, "message")}</a>
      ${mayChange()
        ? html`<button type="button" class="small" @click=${() => changeGroup("retry", group)}>${icon("retry")}Requeue group</button>
            <button type="button" class="small danger-quiet" @click=${() => changeGroup("skip", group)}>${icon("skip")}Discard group</button>`
        : nothing}
    </div>
  </li>`;
}
