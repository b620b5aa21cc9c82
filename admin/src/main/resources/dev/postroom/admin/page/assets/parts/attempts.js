// Each failed attempt with the destination's own words.
import { html } from "../kit/html.js";
import { plural, whole } from "../kit/format.js";
import { empty } from "./states.js";
import { ago, foreign, reason } from "./text.js";

const SHOWN_AT_FIRST = 3;

export function attempts(message) {
  const made = message.attemptsMade ?? [];
  return html`<section class="panel" aria-labelledby="attempts">
    <div class="panel-head"><h2 id="attempts">Failed attempts</h2></div>
    ${made.length === 0 ? empty("No attempt has failed", "Only failures are recorded here.") : list(made)}
  </section>`;
}

function list(made) {
  const earlier = made.slice(SHOWN_AT_FIRST);
  return html`<ol class="attempts">
      ${made.slice(0, SHOWN_AT_FIRST).map(attempt)}
    </ol>
    ${earlier.length
      ? html`<details class="earlier">
          <summary>${plural(earlier.length, "earlier attempt")}</summary>
          <ol class="attempts">
            ${earlier.map(attempt)}
          </ol>
        </details>`
      : ""}`;
}

function attempt(one) {
  return html`<li>
    <p class="attempt-head">
      <strong>${whole(one.attempt)}.</strong> ${reason(one.reason)} ${one.destination ? html`<span class="sub">at ${foreign(one.destination)}</span>` : ""}
      <span class="when">${ago(one.at)}</span>
    </p>
    <pre class="error">${foreign(one.error, 4_000)}</pre>
    ${one.node ? html`<p class="sub">by relay ${foreign(one.node)}</p>` : ""}
  </li>`;
}
