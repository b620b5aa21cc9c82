// The numbers that matter, each with what it means for you and the way to more.
import { html, nothing } from "../kit/html.js";
import { count, duration, percent, plural, rate } from "../kit/format.js";
import { address } from "../kit/router.js";
import { outlook } from "../kit/trend.js";
import { icon } from "./icons.js";

const TREND = { grows: "up", shrinks: "down", steady: "level" };

/** Without a tile for relays where nodes are undefined. */
export function tiles(stats, points, nodes, destinations) {
  return html`<section class="tiles" aria-label="Numbers">
    ${oldest(stats)} ${backlog(stats, points)} ${speed(stats)}
    ${tile("Dead letters", count(stats.dead), stats.dead ? "no relay sends them until you decide" : "none", stats.dead ? "bad" : "ok", address("dead"))}
    ${tile("Blocked streams", count(stats.blockedStreams), stats.blockedStreams ? `${plural(stats.blockedMessages, "message")} ${stats.blockedMessages === 1 ? "waits" : "wait"} in them` : "no message waits for one that failed", stats.blockedStreams ? "warn" : "ok", address("streams"))}
    ${breakers(destinations)} ${nodes === undefined ? nothing : relays(nodes)}
  </section>`;
}

function tile(label, value, note, tone, to, shape = null) {
  return html`<a class="tile" data-tone=${tone} href=${to}>
    <span class="tile-label">${label}</span>
    <span class="tile-value">${value}</span>
    <span class="tile-note">${shape ? icon(shape) : nothing}${note}</span>
  </a>`;
}

function oldest(stats) {
  const waits = stats.oldestAgeSeconds > 0;
  return tile("Oldest undelivered", waits ? duration(stats.oldestAgeSeconds) : "none", waits ? "waited since written or due" : "nothing waits", "calm", address("messages", { staleSeconds: waits ? 1 : "" }));
}

function backlog(stats, points) {
  const { direction, growth, drainSeconds } = outlook(stats.backlog, points);
  const notes = {
    empty: "everything is delivered",
    unknown: "trend in a moment",
    steady: "steady",
    grows: `grows by ${rate(growth)} per second`,
    shrinks: `empty in about ${duration(drainSeconds === null ? null : roundedUp(drainSeconds))}`,
  };
  return tile("Backlog", count(stats.backlog, stats.backlogIsExact ?? undefined), notes[direction], direction === "grows" ? "warn" : "calm", address("messages"), TREND[direction] ?? null);
}

/** An estimate must not look exact: whole minutes above two of them. */
function roundedUp(seconds) {
  return seconds > 120 ? Math.ceil(seconds / 60) * 60 : Math.ceil(seconds);
}

function speed(stats) {
  const failing = stats.failureRatio > 0;
  return tile("Delivered per second", rate(stats.throughputPerSecond), failing ? `${percent(stats.failureRatio)} of attempts fail` : stats.failureRatio === null ? "in the last minute" : "no attempt fails", failing ? "warn" : "calm", address("failures"));
}

function breakers(destinations) {
  if (destinations === null) {
    return tile("Destinations", "–", "asking", "calm", address("destinations"));
  }
  const held = destinations.filter((one) => (one.breakers ?? []).length > 0).length;
  const paused = destinations.filter((one) => one.paused).length;
  const notes = [held ? `${held} held by a breaker` : "no breaker is open", paused ? `${paused} paused` : ""].filter(Boolean);
  return tile("Destinations", count(destinations.length), notes.join(", "), held ? "bad" : paused ? "warn" : "ok", address("destinations"));
}

function relays(nodes) {
  if (nodes === null) {
    return tile("Relays alive", "–", "asking", "calm", address("relays"));
  }
  const alive = nodes.filter((one) => one.alive).length;
  const gone = nodes.length - alive;
  return tile("Relays alive", count(alive), alive === 0 ? "nothing is sent: start one" : gone ? `${gone} gone` : "all report", alive === 0 ? "bad" : "ok", address("relays"));
}
