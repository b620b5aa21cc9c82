// What is shown while there is nothing to show yet, nothing at all, or something went wrong. Never a blank.
import { html, nothing } from "../kit/html.js";
import { visible } from "../kit/format.js";
import { icon } from "./icons.js";

export function loading(lines = 4) {
  return html`<div class="skeleton" role="status">
    <span class="hidden">Loading…</span>
    ${Array.from({ length: lines }, () => html`<div class="bone"></div>`)}
  </div>`;
}

export function empty(title, text, shape = "ok", more = nothing) {
  return html`<div class="empty">
    ${icon(shape)}
    <p class="empty-title">${title}</p>
    <p>${text}</p>
    ${more}
  </div>`;
}

export function problem(error, again = null) {
  return html`<div class="problem" role="alert">
    ${icon("bad")}
    <div>
      <p class="problem-title">${visible(error.title ?? "Something went wrong on this page")}</p>
      <p>${visible(error.detail || error.message || "")}</p>
      ${again ? html`<button type="button" class="small" @click=${again}>${icon("retry")}Try again</button>` : nothing}
    </div>
  </div>`;
}

/** The view of what a Live has, or why it has nothing. Old data stay on the screen, marked. */
export function shown(live, view, lines = 4) {
  if (live.data === null) {
    return live.error ? problem(live.error, () => live.refresh()) : loading(lines);
  }
  const refusal = live.error && !live.error.isSilence ? problem(live.error, () => live.refresh()) : nothing;
  return html`${refusal}
    <div class=${live.isStale ? "stale" : ""}>${view(live.data)}</div>`;
}
