// Something on the server that the screen follows: asked for again every few seconds while somebody can see it.
import { draw } from "./draw.js";

const FIRST_PAUSE_AFTER_FAILURE = 1_500;
const LONGEST_PAUSE_AFTER_FAILURE = 8_000;

export const updates = { held: false };
const followed = new Set();

/** Stops and starts all updates, for somebody who wants to read in peace. */
export function holdUpdates(held) {
  updates.held = held;
  followed.forEach((one) => one.wake());
  draw();
}

document.addEventListener("visibilitychange", () => followed.forEach((one) => one.wake()));

/** After a change somebody wants to see its effect now. */
export function refreshAll() {
  followed.forEach((one) => one.refresh());
}

export class Live {
  data = null;
  error = null;
  at = null;
  #ask;
  #every;
  #timer = null;
  #request = null;
  #failures = 0;

  /** `ask` gets an AbortSignal and gives a promise of the data. */
  constructor(ask, every = 4_000) {
    this.#ask = ask;
    this.#every = every;
  }

  get isStale() {
    return this.data !== null && this.error !== null;
  }

  get isBusy() {
    return this.#request !== null;
  }

  start() {
    followed.add(this);
    this.refresh();
    return this;
  }

  stop() {
    followed.delete(this);
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.#request = null;
  }

  /** Asks at once; an answer still under way to an earlier question no longer counts. */
  refresh() {
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.#load();
  }

  wake() {
    clearTimeout(this.#timer);
    if (!document.hidden && !updates.held && this.#request === null) {
      this.#load();
    }
  }

  async #load() {
    const request = new AbortController();
    this.#request = request;
    try {
      const data = await this.#ask(request.signal);
      if (request.signal.aborted) {
        return;
      }
      this.data = data;
      this.error = null;
      this.at = Date.now();
      this.#failures = 0;
    } catch (error) {
      if (request.signal.aborted) {
        return;
      }
      this.error = error;
      this.#failures++;
    }
    this.#request = null;
    draw();
    this.#next();
  }

  #next() {
    if (document.hidden || updates.held || !followed.has(this)) {
      return;
    }
    const pause =
      this.error === null
        ? this.#every
        : Math.min(FIRST_PAUSE_AFTER_FAILURE * 1.5 ** (this.#failures - 1), LONGEST_PAUSE_AFTER_FAILURE);
    this.#timer = setTimeout(() => this.#load(), pause);
  }
}
