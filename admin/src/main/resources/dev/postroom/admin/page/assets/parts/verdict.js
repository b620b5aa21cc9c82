// The answer to the first question, in one look.
import { html, nothing, repeat } from "../kit/html.js";
import { visible } from "../kit/format.js";
import { suggested } from "../kit/router.js";
import { verdictOf } from "./badge.js";
import { icon } from "./icons.js";
import { sentence } from "./text.js";

const SAYS = {
  UP: "Messages are delivered and nothing waits for you.",
  DEGRADED: "Delivery goes on, but something needs a look.",
  DOWN: "Messages are not delivered as they should be. Begin with the first of these.",
};

const WORST_FIRST = ["DOWN", "DEGRADED", "UP"];

export function verdict(health) {
  const [tone, shape, word] = verdictOf(health.status);
  const reasons = [...(health.reasons ?? [])].sort((a, b) => WORST_FIRST.indexOf(a.status) - WORST_FIRST.indexOf(b.status));
  return html`<section class="verdict" data-tone=${tone} aria-labelledby="verdict">
    <div class="verdict-head">
      ${icon(shape)}
      <div>
        <h2 id="verdict">${word}</h2>
        <p>${SAYS[health.status] ?? ""}</p>
      </div>
    </div>
    ${reasons.length ? html`<ol class="reasons">${repeat(reasons, (reason, i) => `${reason.code}-${i}`, cause)}</ol>` : nothing}
  </section>`;
}

function cause(reason) {
  const link = suggested(reason.link);
  const [tone, shape, word] = verdictOf(reason.status);
  return html`<li data-tone=${tone}>
    <div class="cause">
      ${icon(shape)}<span class="hidden">${word}:</span>
      <p>${sentence(reason.text)}</p>
    </div>
    ${reason.action ? html`<p class="remedy"><strong>What to do:</strong> ${sentence(reason.action)}</p>` : nothing}
    ${link ? html`<a class="button small" href=${link}>Go there<span class="hidden">: ${visible(reason.code)}</span>${icon("right")}</a>` : nothing}
  </li>`;
}
