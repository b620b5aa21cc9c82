// A status: shape, word and colour, so that none of them is needed alone.
import { html } from "../kit/html.js";
import { icon } from "./icons.js";

const MESSAGE = {
  processed: ["ok", "ok", "Delivered"],
  skipped: ["calm", "skip", "Skipped"],
  dead: ["bad", "bad", "Dead"],
  "in-flight": ["info", "send", "In flight"],
  scheduled: ["info", "clock", "Scheduled"],
  blocked: ["warn", "warn", "Blocked"],
  failed: ["warn", "retry", "Failed"],
  pending: ["calm", "level", "Pending"],
};

const HEALTH = {
  UP: ["ok", "ok", "Healthy"],
  DEGRADED: ["warn", "warn", "Needs attention"],
  DOWN: ["bad", "bad", "Down"],
};

export function badge(tone, shape, word) {
  return html`<span class="badge" data-tone=${tone}>${icon(shape)}${word}</span>`;
}

export function messageStatus(status) {
  const [tone, shape, word] = MESSAGE[status] ?? ["calm", "unknown", String(status)];
  return badge(tone, shape, word);
}

/** Tone, shape and word of a verdict; for one that we do not know, its own name. */
export function verdictOf(status) {
  return HEALTH[status] ?? ["calm", "unknown", status ? String(status) : "Unknown"];
}

export function healthBadge(status) {
  return badge(...verdictOf(status));
}
