// The answer to the first question, in one look.
import { html, nothing, repeat } from "../kit/html.js";
import { plural, visible } from "../kit/format.js";
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

/** Healthy is about delivery; decisions may still wait for somebody. */
function says(health, stats) {
  if (health.status !== "UP" || !stats || (stats.dead === 0 && stats.blockedStreams === 0)) {
    return SAYS[health.status] ?? "";
  }
  const open = [stats.dead ? plural(stats.dead, "dead letter") : "", stats.blockedStreams ? plural(stats.blockedStreams, "blocked stream") : ""];
  return `Messages are delivered. For you to decide: ${open.filter(Boolean).join(" and ")}.`;
}

export function verdict(health, stats) {
  const [tone, shape, word] = verdictOf(health.status);
  const reasons = [...(health.reasons ?? [])].sort((a, b) => WORST_FIRST.indexOf(a.status) - WORST_FIRST.indexOf(b.status));
  return html`<section class="verdict" data-tone=${tone} aria-labelledby="verdict">
    <div class="verdict-head">
      ${icon(shape)}
      <div>
        <h2 id="verdict">${word}</h2>
        <p>${says(health, stats)}</p>
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
