// <postroom-ago at="…Z">: how long ago, counting by itself, so that the page need not be described anew every second.
import { now } from "../kit/clock.js";
import { duration, instant, utc } from "../kit/format.js";

const shown = new Set();
setInterval(() => {
  if (!document.hidden) {
    shown.forEach((one) => one.tell());
  }
}, 1_000);

class Ago extends HTMLElement {
  static observedAttributes = ["at", "mode"];

  connectedCallback() {
    shown.add(this);
    this.tell();
  }

  disconnectedCallback() {
    shown.delete(this);
  }

  attributeChangedCallback() {
    this.tell();
  }

  tell() {
    const at = this.getAttribute("at");
    const seconds = (now() - Date.parse(at ?? "")) / 1000;
    if (Number.isNaN(seconds)) {
      this.textContent = "–";
      return;
    }
    const text = this.getAttribute("mode") === "span" ? duration(Math.floor(Math.abs(seconds))) : spoken(seconds);
    if (this.textContent !== text) {
      this.textContent = text;
    }
    this.title = `${instant(at)} (${utc(at)})`;
  }
}

function spoken(seconds) {
  if (Math.abs(seconds) < 1) {
    return "just now";
  }
  return seconds < 0 ? `in ${duration(Math.ceil(-seconds))}` : `${duration(Math.floor(seconds))} ago`;
}

customElements.define("postroom-ago", Ago);
