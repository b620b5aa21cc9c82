// The life of a message, from when it was written to where it is now.
import { html, nothing } from "../kit/html.js";
import { now } from "../kit/clock.js";
import { reasonName } from "../kit/format.js";
import { icon } from "./icons.js";
import { ago, at } from "./text.js";

const MOST_ATTEMPTS = 8;

export function timeline(message) {
  return html`<section class="panel" aria-labelledby="timeline">
    <div class="panel-head"><h2 id="timeline">Timeline</h2></div>
    <ol class="timeline">
      ${steps(message).map(step)}
    </ol>
  </section>`;
}

/** Oldest first. */
function steps(message) {
  const made = [...(message.attemptsMade ?? [])].reverse();
  const list = [{ at: message.createdAt, tone: "calm", shape: "messages", text: "Written" }];
  const left = made.length - MOST_ATTEMPTS;
  if (left > 0) {
    list.push({ at: null, tone: "calm", shape: "retry", text: `${left} earlier attempts` });
  }
  made.slice(-MOST_ATTEMPTS).forEach((one) => list.push({ at: one.at, tone: "warn", shape: "retry", text: `Attempt ${one.attempt}: ${reasonName(one.reason)}` }));
  const due = message.availableAt && Date.parse(message.availableAt) > now();
  if (due) {
    list.push({ at: message.availableAt, tone: "info", shape: "clock", text: message.attempts > 0 ? "Next attempt" : "Due" });
  }
  if (message.status === "dead") {
    list.push({ at: null, tone: "bad", shape: "bad", text: "Dead: waits for your decision" });
  }
  if (message.processedAt) {
    const skipped = message.status === "skipped";
    list.push({ at: message.processedAt, tone: skipped ? "calm" : "ok", shape: skipped ? "skip" : "ok", text: skipped ? "Discarded" : "Delivered" });
  }
  return list;
}

function step(one) {
  return html`<li data-tone=${one.tone}>
    ${icon(one.shape)}
    <div>
      <p>${one.text}</p>
      ${one.at ? html`<p class="sub">${at(one.at)} · ${ago(one.at)}</p>` : nothing}
    </div>
  </li>`;
}
