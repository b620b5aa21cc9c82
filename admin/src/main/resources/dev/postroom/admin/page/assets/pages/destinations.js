// Where messages go, and what keeps them from going.
import { html, nothing, repeat } from "../kit/html.js";
import { get, items } from "../kit/api.js";
import { Live } from "../kit/live.js";
import { mayChange, seesAll } from "../kit/session.js";
import { pauseDestination, pauseEverything, pauseTopic, resumeDestination, resumeEverything, resumeTopic } from "../parts/actions.js";
import { badge } from "../parts/badge.js";
import { heading } from "../parts/heading.js";
import { icon } from "../parts/icons.js";
import { empty, shown } from "../parts/states.js";
import { age, ago, foreign } from "../parts/text.js";

export function destinations() {
  const all = new Live((signal) => get("destinations", {}, signal), 3_000).start();
  const pauses = new Live((signal) => get("pauses", {}, signal), 3_000).start();
  return {
    title: () => "Destinations",
    view: () => html`${heading("Destinations", "A destination that is down is held and probed by itself; no attempt is spent meanwhile.", mayPause() ? wider(items(pauses.data)) : nothing)}
      ${wide(items(pauses.data))} ${shown(all, (data) => list(items(data)))}`,
    close: () => [all, pauses].forEach((one) => one.stop()),
  };
}

/** A pause concerns all tenants. */
function mayPause() {
  return mayChange() && seesAll();
}

function isEverything(pause) {
  return !pause.destination && !pause.topic;
}

/** What concerns more than one destination. */
function wider(pauses) {
  return html`<button type="button" class="small" @click=${pauseTopic}>${icon("pause")}Pause a topic…</button>
    ${pauses.some(isEverything)
      ? html`<button type="button" class="small primary" @click=${resumeEverything}>${icon("play")}Resume everything…</button>`
      : html`<button type="button" class="small danger-quiet" @click=${pauseEverything}>${icon("pause")}Pause everything…</button>`}`;
}

function wide(pauses) {
  const concerned = pauses.filter((pause) => !pause.destination);
  if (concerned.length === 0) {
    return nothing;
  }
  return html`<ul class="cards wide">
    ${repeat(concerned, (pause) => pause.topic ?? "", (pause) => html`<li class="card">
      <div class="card-head">
        <div>
          <h2>${isEverything(pause) ? "Everything is paused" : html`Topic <span class="topic">${foreign(pause.topic)}</span> is paused`}</h2>
          <p>${ago(pause.at)} by <strong>${foreign(pause.by)}</strong>: ${foreign(pause.reason, 500)}</p>
        </div>
        <p class="tags">${badge("warn", "pause", "Paused")}</p>
      </div>
      ${mayPause() && !isEverything(pause) ? html`<div class="actions"><button type="button" class="small primary" @click=${() => resumeTopic(pause.topic)}>${icon("play")}Resume</button></div>` : nothing}
    </li>`)}
  </ul>`;
}

function list(all) {
  if (all.length === 0) {
    return empty("No destination is known yet", "A destination appears here when a relay has used it or somebody paused it. Start a relay.", "destinations");
  }
  return html`<ul class="cards pairs">
    ${repeat(all, (one) => one.name, card)}
  </ul>`;
}

function card(one) {
  const breakers = one.breakers ?? [];
  return html`<li class="card">
    <div class="card-head">
      <div>
        <h2>${foreign(one.name)}</h2>
        ${one.type ? html`<p class="sub">${foreign(one.type)}</p>` : nothing}
      </div>
      <p class="tags">${state(one, breakers)}</p>
    </div>
    ${one.paused
      ? html`<p>Paused ${ago(one.paused.at ?? one.paused.since)} by <strong>${foreign(one.paused.by)}</strong>: ${foreign(one.paused.reason, 500)}</p>`
      : nothing}
    ${breakers.length ? html`<ul class="held">${breakers.map(breaker)}</ul>` : nothing}
    ${mayPause()
      ? html`<div class="actions">
          ${one.paused
            ? html`<button type="button" class="small primary" @click=${() => resumeDestination(one.name)}>${icon("play")}Resume</button>`
            : html`${breakers.length
                ? html`<button type="button" class="small primary" @click=${() => resumeDestination(one.name)}>${icon("play")}Try again now</button>`
                : nothing}<button type="button" class="small" @click=${() => pauseDestination(one.name)}>${icon("pause")}Pause</button>`}
        </div>`
      : nothing}
  </li>`;
}

function state(one, breakers) {
  const whole = breakers.some((b) => !b.topic && !b.type);
  return html`${one.paused ? badge("warn", "pause", "Paused") : nothing}
    ${breakers.length ? badge("bad", "bad", whole ? "Held: down" : "Held in part") : nothing} ${!one.paused && breakers.length === 0 ? badge("ok", "ok", "Open") : nothing}`;
}

function breaker(one) {
  return html`<li>
    <p>${one.topic ? html`Topic <span class="topic">${foreign(one.topic)}</span> is held` : one.type ? html`Type <span class="topic">${foreign(one.type)}</span> is held` : "The whole destination is held"}${one.since ? html` for ${age(one.since)}` : nothing}</p>
    <pre class="error">${foreign(one.why, 600)}</pre>
  </li>`;
}
