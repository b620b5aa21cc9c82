// The largest groups of failures, as a way to the page about them.
import { html, nothing } from "../kit/html.js";
import { whole } from "../kit/format.js";
import { address } from "../kit/router.js";
import { icon } from "./icons.js";
import { ago, foreign, reason } from "./text.js";

const MOST = 4;

export function topFailures(groups) {
  if (groups.length === 0) {
    return nothing;
  }
  return html`<section class="panel" aria-labelledby="top-failures">
    <div class="panel-head">
      <h2 id="top-failures">What fails most</h2>
      <a href=${address("failures")}>All failures${icon("right")}</a>
    </div>
    <ul class="brief">
      ${groups.slice(0, MOST).map(
        (group) => html`<li>
          <span class="many">${whole(group.count)}</span>
          <span class="what"><span>${reason(group.reason)} · <span class="topic">${foreign(group.topic)}</span></span><span class="sub clamp">${foreign(group.fingerprint)}</span></span>
          <span class="when">${ago(group.latest)}</span>
        </li>`,
      )}
    </ul>
  </section>`;
}
