// What an operator can do, in words and as calls. Each is handed to the dialog, which counts, asks why, and shows what came of it.
import { html } from "../kit/html.js";
import { part, post } from "../kit/api.js";
import { reasonName, whole } from "../kit/format.js";
import { ask, messages, quoted } from "./dialog.js";
import { code, foreign, messageName, streamName } from "./text.js";

const WORDS = {
  retry: {
    verb: "Requeue",
    past: "queued again",
    many: "They are due now and their attempts start anew. In a stream with a key the first goes first, the others follow in order.",
    one: "It is due now and its attempts start anew. What waits behind it in its stream follows in order.",
  },
  skip: {
    verb: "Discard",
    past: "discarded",
    danger: true,
    many: "They leave the outbox without being sent and are kept in the archive as skipped. Later messages of their keys go on.",
    one: "It leaves the outbox without being sent and is kept in the archive as skipped. Later messages of its key go on.",
  },
  "dead-letter": {
    verb: "Dead-letter",
    past: "set aside as dead",
    danger: true,
    many: "No relay sends them until somebody requeues them. Where a route blocks on failure, later messages of their keys wait.",
    one: "No relay sends it until somebody requeues it. Where its route blocks on failure, later messages of its key wait.",
  },
  delete: {
    verb: "Delete",
    past: "deleted for good",
    danger: true,
    many: "They are removed from the database for good. This cannot be undone.",
    one: "It is removed from the database for good. This cannot be undone.",
  },
};

/** Changes all messages that fit the filter, a thousand at a time. */
export function changeMatching(kind, filter, title, about = null) {
  const words = WORDS[kind];
  ask({
    title,
    about: about ?? filterAsText(filter),
    says: words.many,
    verb: words.verb,
    danger: words.danger,
    count: () => post(`messages/actions/${kind}`, { filter, dryRun: true }),
    run: (reason, progress, matched) => inSteps(kind, filter, reason, progress, matched),
    done: (n) => (n === 0 ? "Nothing was changed: no message fits any more." : `${messages(n)} ${words.past}.`),
  });
}

/**
 * Repeats the call until nothing changes. It ends at the number that was counted before, too: a message that fails again at once
 * fits again, and would be requeued for ever.
 */
async function inSteps(kind, filter, reason, progress, matched) {
  let changed = 0;
  while (changed < matched && !progress.stopped) {
    const limit = Math.min(1_000, matched - changed);
    const answer = await post(`messages/actions/${kind}`, { filter, dryRun: false, limit, reason });
    if (answer.changed === 0) {
      break;
    }
    changed += answer.changed;
    progress.tell(changed);
  }
  return changed;
}

function filterAsText(filter) {
  return html`<ul class="conditions">
    ${Object.entries(filter).map(([name, value]) => html`<li><span>${name}</span> ${code(value, 120)}</li>`)}
  </ul>`;
}

/** Changes one message. */
export function changeOne(kind, message) {
  const words = WORDS[kind];
  ask({
    title: `${words.verb} this message`,
    about: html`${messageName(message)} <code class="id">${message.id}</code>`,
    says: words.one,
    verb: words.verb,
    danger: words.danger,
    count: null,
    run: async (reason) => (await post(`messages/${part(message.id)}/${kind}`, { reason }))?.changed ?? 1,
    done: (n) => (n === 0 ? "Nothing was changed: this does not fit the message any more." : `The message was ${words.past}.`),
  });
}

export function releaseStream(stream) {
  ask({
    title: "Release this stream",
    about: streamName(stream),
    says: "Everything that holds this stream, of whatever topic, holds nobody any more, and the messages behind go out. Choose this when the order within this key does not matter now: what failed may arrive later than what came after it.",
    verb: "Release",
    count: null,
    run: async (reason) =>
      (await post("streams/release", { tenant: stream.tenant, key: stream.key, reason }))?.changed ?? 1,
    done: (n) => (n === 0 ? "Nothing held this stream any more." : `Released: ${messages(n)} ${n === 1 ? "holds" : "hold"} nobody any more.`),
  });
}

export function pauseDestination(name) {
  ask({
    title: `Pause ${quoted(name)}`,
    says: "No relay sends to this destination until it is resumed. Messages wait in the database; nothing is lost and no attempt is spent. What is under way right now still arrives.",
    verb: "Pause",
    count: null,
    run: (reason) => post(`destinations/${part(name)}/pause`, { reason }).then(() => 1),
    done: () => `${quoted(name)} is paused.`,
  });
}

export function resumeDestination(name) {
  ask({
    title: `Resume ${quoted(name)}`,
    says: "Relays send to this destination again, in order, within seconds.",
    verb: "Resume",
    count: null,
    run: (reason) => post(`destinations/${part(name)}/resume`, { reason }).then(() => 1),
    done: () => `${quoted(name)} is resumed.`,
  });
}

export function pauseEverything() {
  ask({
    title: "Pause everything",
    says: "No relay sends anything anywhere until everything is resumed. Publishing goes on; messages wait in the database; nothing is lost and no attempt is spent.",
    verb: "Pause everything",
    danger: true,
    count: null,
    run: (reason) => post("pause", { reason }).then(() => 1),
    done: () => "Everything is paused.",
  });
}

export function pauseTopic() {
  ask({
    title: "Pause a topic",
    says: "No relay sends messages of this topic anywhere until it is resumed. They wait in the database; nothing is lost and no attempt is spent.",
    verb: "Pause",
    field: "Topic",
    count: null,
    run: (reason, progress, matched, topic) => post("pause", { topic, reason }).then(() => 1),
    done: () => "The topic is paused.",
  });
}

export function resumeTopic(topic) {
  ask({
    title: `Resume topic ${quoted(topic)}`,
    says: "Messages of this topic go out again, in order, within seconds.",
    verb: "Resume",
    count: null,
    run: (reason) => post("resume", { topic, reason }).then(() => 1),
    done: () => `Topic ${quoted(topic)} is resumed.`,
  });
}

export function resumeEverything() {
  ask({
    title: "Resume everything",
    says: "Ends a pause of everything. Destinations and topics that were paused on their own stay paused.",
    verb: "Resume everything",
    count: null,
    run: (reason) => post("resume", { reason }).then(() => 1),
    done: () => "The pause of everything has ended.",
  });
}

/** A group of like failures: what its error texts have in common, together with reason and topic. */
export function changeGroup(kind, group) {
  const filter = groupFilter(group);
  const about = html`<p>${reasonName(group.reason)} · ${foreign(group.topic)}</p>
    <p class="fingerprint">${foreign(group.fingerprint)}</p>
    <p class="hint">
      ${filter.q ? html`Fits messages of this topic and reason whose error contains ${code(filter.q, 200)}.` : "Fits every failed message of this topic and reason."}
      The list shows ${whole(group.count)} of them among the latest failures.
    </p>`;
  changeMatching(kind, filter, `${WORDS[kind].verb} this group`, about);
}

const LONGEST_TEXT = 200;
const SHORTEST_TEXT = 4;

export function groupFilter(group) {
  const filter = { topic: group.topic, reason: group.reason, hasError: true };
  const text = commonText(group.fingerprint, group.sampleError ?? "");
  return text ? { ...filter, q: text } : filter;
}

/** The longest piece of the fingerprint that really stands in an error, since spaces and variable parts were taken out of it. */
export function commonText(fingerprint, sample) {
  if (fingerprint.startsWith("(redacted")) {
    return "";
  }
  const inSample = sample.toLowerCase();
  return fingerprint
    .split(/<(?:id|text|hex|n)>|\(redacted\)/)
    .map((piece) => piece.trim().slice(0, LONGEST_TEXT))
    .filter((piece) => piece.length >= SHORTEST_TEXT && inSample.includes(piece.toLowerCase()))
    .reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "");
}

