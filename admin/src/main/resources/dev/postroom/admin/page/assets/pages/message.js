// One message: why it has not been sent, what was tried, and what it is.
import { html, nothing } from "../kit/html.js";
import { get, part } from "../kit/api.js";
import { Live } from "../kit/live.js";
import { address } from "../kit/router.js";
import { trail } from "../kit/trail.js";
import { mayChange } from "../kit/session.js";
import { changeOne, releaseStream } from "../parts/actions.js";
import { attempts } from "../parts/attempts.js";
import { messageStatus } from "../parts/badge.js";
import { facts } from "../parts/facts.js";
import { heading } from "../parts/heading.js";
import { icon } from "../parts/icons.js";
import { PayloadPanel } from "../parts/payload-panel.js";
import { empty, shown } from "../parts/states.js";
import { copyButton, foreign, sentence, streamName } from "../parts/text.js";
import { timeline } from "../parts/timeline.js";

const ARCHIVED = ["processed", "skipped"];

export function message(route) {
  const detail = new Live((signal) => get(`messages/${part(route.id)}`, { payload: "false" }, signal), 4_000).start();
  const payload = new PayloadPanel(route.id);
  const close = () => {
    detail.stop();
    payload.close();
  };
  return {
    title: () => "Message",
    view: () => (detail.data === null && detail.error?.status === 404 ? gone(route.id) : html`${top(route, detail.data)} ${shown(detail, (data) => contents(data, payload), 8)}`),
    close,
  };
}

function gone(id) {
  return html`${heading("Message")}
    ${empty("There is no such message", html`${foreign(id, 80)} is neither waiting nor in the archive. It may have been deleted, or purged after its retention.`, "search", html`<a class="button small" href=${address("messages")}>To all messages</a>`)}`;
}

function top(route, message) {
  const back = html`<a class="back" href=${trail.list ?? address("messages")}>${icon("left")}${trail.list?.startsWith("#/dead") ? "Dead letters" : "Messages"}</a>`;
  if (message === null) {
    return html`${back} ${heading("Message")}`;
  }
  return html`${back}
    ${heading(foreign(message.topic, 200), html`${messageStatus(message.status)} <code class="id">${message.id}</code> ${copyButton(message.id, "id")}`, mayChange() ? actions(message) : nothing)}`;
}

function actions(message) {
  const dead = message.status === "dead";
  const archived = ARCHIVED.includes(message.status);
  const button = (kind, shape, label, tone = "") => html`<button type="button" class=${tone} @click=${() => changeOne(kind, message)}>${icon(shape)}${label}</button>`;
  const retriable = dead || (!archived && message.attempts > 0);
  const holds = !archived && message.key !== null && message.key !== undefined && !message.released && (dead || message.attempts > 0 || message.status === "blocked");
  return html`${retriable ? button("retry", "retry", "Requeue", "primary") : nothing}
    ${holds ? html`<button type="button" @click=${() => releaseStream(message)}>${icon("release")}Release stream</button>` : nothing}
    ${archived ? nothing : button("skip", "skip", "Discard", "danger-quiet")} ${archived || dead ? nothing : button("dead-letter", "dead", "Dead-letter", "danger-quiet")}
    ${dead || archived ? button("delete", "trash", "Delete", "danger-quiet") : nothing}`;
}

function contents(message, payload) {
  return html`${why(message)}
    <div class="columns">
      <div>${payload.view(message)} ${attempts(message)}</div>
      <div>${timeline(message)} ${facts(payload.revealed(message))}</div>
    </div>`;
}

function why(message) {
  const causes = message.whyNotSent ?? [];
  if (causes.length === 0) {
    return nothing;
  }
  return html`<section class="why" aria-labelledby="why">
    <h2 id="why">Why it has not been sent yet</h2>
    <ul>
      ${causes.map((cause) => html`<li>${sentence(cause)}</li>`)}
    </ul>
    ${message.key === null || message.key === undefined
      ? nothing
      : html`<p class="sub">Its stream: ${streamName(message)} · <a href=${address("messages", { key: message.key, tenant: message.tenant })}>all that wait in it</a></p>`}
  </section>`;
}
