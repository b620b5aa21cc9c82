// Every change goes through this dialog: what will happen, to how many, why it is done, how far it is, what came of it.
import { html, nothing } from "../kit/html.js";
import { announce } from "../kit/announce.js";
import { draw } from "../kit/draw.js";
import { plural, visible, whole } from "../kit/format.js";
import { refreshAll } from "../kit/live.js";
import { icon } from "./icons.js";
import { loading, problem } from "./states.js";

const LONGEST_REASON = 500;
const element = () => document.getElementById("change");

/** Steps: counting → asking → working → done; failed from any of them. */
let open = null;

/**
 * Opens the dialog for an action: {title, says, verb, danger, about, field, count, run, done}. `count` is a dry run or null;
 * `field` is the label of a name to ask for, if any; `run` gets the reason, a progress object, what was counted and that name,
 * and gives how many changed.
 */
export function ask(action) {
  open = { action, step: action.count ? "counting" : "asking", matched: null, exact: true, changed: 0, error: null, reason: "", name: "", stop: false };
  draw();
  // After the drawing, which is a microtask too.
  setTimeout(() => {
    element()?.showModal();
    toFirstField();
  });
  if (action.count) {
    countNow(open);
  }
}

/** Where one goes on typing; before there is a field, the browser has chosen a button. */
function toFirstField() {
  element()?.querySelector("input, textarea")?.focus();
}

async function countNow(state) {
  state.step = "counting";
  state.error = null;
  draw();
  try {
    const counted = await state.action.count();
    state.matched = counted.matched;
    state.exact = counted.matchedIsExact !== false;
    state.step = "asking";
  } catch (error) {
    state.error = error;
    state.step = "failed-count";
  }
  draw();
  setTimeout(toFirstField);
}

async function runNow(state) {
  state.step = "working";
  state.error = null;
  state.stop = false;
  draw();
  const progress = {
    get stopped() {
      return state.stop;
    },
    tell(changed) {
      state.changed = changed;
      draw();
    },
  };
  try {
    state.changed = await state.action.run(state.reason.trim(), progress, state.matched, state.name.trim());
    state.step = "done";
    announce(state.action.done(state.changed));
  } catch (error) {
    state.error = error;
    state.step = "failed-run";
  }
  draw();
  refreshAll();
}

function close() {
  element()?.close();
}

function closed() {
  if (open) {
    open.stop = true;
  }
  open = null;
  draw();
  // What opened the dialog may be gone, and the keyboard must not be left nowhere.
  setTimeout(() => {
    if (document.activeElement === document.body || document.activeElement === null) {
      document.querySelector("h1")?.focus({ preventScroll: true });
    }
  });
}

export function changeDialog() {
  return html`<dialog id="change" aria-labelledby="change-title" @close=${closed} @cancel=${keepWhileWorking}>
    ${open ? contents(open) : nothing}
  </dialog>`;
}

/** Escape must not hide work that goes on. */
function keepWhileWorking(event) {
  if (open?.step === "working") {
    event.preventDefault();
  }
}

function contents(state) {
  const { action } = state;
  const submit = (event) => {
    event.preventDefault();
    if (isReady(state)) {
      runNow(state);
    }
  };
  return html`<form method="dialog" @submit=${submit} novalidate>
    <div class="dialog-head">
      <h2 id="change-title">${action.title}</h2>
      <button type="button" class="quiet" aria-label="Close" ?disabled=${state.step === "working"} @click=${close}>${icon("close")}</button>
    </div>
    <div class="dialog-body" aria-live="polite">${body(state)}</div>
    <div class="dialog-foot">${buttons(state)}</div>
  </form>`;
}

function isReady(state) {
  const named = !state.action.field || state.name.trim() !== "";
  return named && state.reason.trim() !== "" && (state.step === "asking" || state.step === "failed-run");
}

function body(state) {
  const { action } = state;
  switch (state.step) {
    case "counting":
      return html`<p>Counting what this concerns. Nothing is changed yet.</p>
        ${loading(2)}`;
    case "failed-count":
      return problem(state.error, () => countNow(state));
    case "working":
      return working(state);
    case "done":
      return html`<p class="outcome" data-tone=${state.changed > 0 ? "ok" : "warn"}>
        ${icon(state.changed > 0 ? "ok" : "warn")}<span>${action.done(state.changed)}${state.stop ? " You stopped it before the end." : ""}</span>
      </p>`;
    default:
      return html`${action.about ? html`<div class="about">${action.about}</div>` : nothing}
        <p>${action.says}</p>
        ${state.matched === null ? nothing : concerned(state.matched, state.exact)}
        ${state.error ? problem(state.error) : nothing} ${action.field ? nameField(state) : nothing} ${state.matched === 0 ? nothing : reasonField(state)}`;
  }
}

function concerned(matched, exact) {
  if (matched === 0) {
    return html`<p class="concerned" data-tone="calm">No message fits any more. Perhaps somebody was faster.</p>`;
  }
  if (!exact) {
    return html`<p class="concerned">At least <strong>${whole(matched)}</strong> messages fit; ${whole(matched)} will be changed. Do it again for the rest.</p>`;
  }
  return html`<p class="concerned"><strong>${whole(matched)}</strong> ${matched === 1 ? "message" : "messages"} will be changed.</p>`;
}

function nameField(state) {
  const typed = (event) => {
    state.name = event.target.value;
    draw();
  };
  return html`<label class="field" for="change-name">
    <span>${state.action.field}</span>
    <input id="change-name" required maxlength="255" autocomplete="off" .value=${state.name} @input=${typed} />
  </label>`;
}

function reasonField(state) {
  const typed = (event) => {
    state.reason = event.target.value;
    draw();
  };
  return html`<label class="field" for="change-reason">
    <span>Why <span class="hint">written to the audit with your name</span></span>
    <textarea id="change-reason" required maxlength=${LONGEST_REASON} rows="2" .value=${state.reason} @input=${typed} @keydown=${sendWithEnter}></textarea>
  </label>`;
}

function sendWithEnter(event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    event.target.form.requestSubmit();
  }
}

function working(state) {
  const total = state.matched;
  return html`<p>${total ? html`${whole(state.changed)} of ${whole(total)} done…` : "Working…"}</p>
    ${total ? html`<progress max=${total} value=${state.changed} aria-label="Progress"></progress>` : html`<progress aria-label="Working"></progress>`}`;
}

function buttons(state) {
  const { action } = state;
  if (state.step === "done" || state.matched === 0) {
    return html`<button type="button" class="primary" @click=${close}>Close</button>`;
  }
  if (state.step === "working") {
    const stop = () => {
      state.stop = true;
      draw();
    };
    return state.matched > 1000
      ? html`<button type="button" ?disabled=${state.stop} @click=${stop}>${state.stop ? "Stopping…" : "Stop after this step"}</button>`
      : html`<button type="button" disabled>${action.verb}…</button>`;
  }
  return html`<button type="button" @click=${close}>Cancel</button>
    <button type="submit" class=${action.danger ? "danger" : "primary"} ?disabled=${!isReady(state)}>
      ${state.step === "failed-run" ? `Try again: ${action.verb}` : action.verb}${state.matched > 1 ? ` ${whole(state.matched)}` : ""}
    </button>`;
}

export function messages(n) {
  return plural(n, "message");
}

export function quoted(text) {
  return `“${visible(text)}”`;
}
