// Small pieces that every page uses to show texts of strangers, times and names.
import { html, nothing } from "../kit/html.js";
import { cut, instant, NONE, reasonName, utc, visible } from "../kit/format.js";
import { address } from "../kit/router.js";
import { announce } from "../kit/announce.js";
import { icon } from "./icons.js";
import "./ago.js";

const LONGEST_IN_A_LIST = 300;
const UUID = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/i;

/** A stranger's text on its own: it cannot turn the text around it, and what is invisible is shown. */
export function foreign(text, most = LONGEST_IN_A_LIST) {
  if (text === null || text === undefined || text === "") {
    return html`<span class="none">${NONE}</span>`;
  }
  return html`<bdi>${cut(visible(text), most)}</bdi>`;
}

export function code(text, most = LONGEST_IN_A_LIST) {
  return html`<code dir="ltr">${foreign(text, most)}</code>`;
}

/** Ids in a sentence become links to their messages. */
export function sentence(text) {
  return String(text)
    .split(UUID)
    .map((piece, i) =>
      i % 2 === 1
        ? html`<a class="id" href=${address("messages", {}, piece)}>${piece}</a>`
        : html`<bdi>${visible(piece)}</bdi>`,
    );
}

export function ago(iso) {
  return iso ? html`<postroom-ago at=${iso}></postroom-ago>` : html`<span class="none">${NONE}</span>`;
}

export function age(iso) {
  return iso ? html`<postroom-ago at=${iso} mode="span"></postroom-ago>` : html`<span class="none">${NONE}</span>`;
}

export function at(iso) {
  return iso ? html`<time datetime=${iso} title=${utc(iso)}>${instant(iso)}</time>` : html`<span class="none">${NONE}</span>`;
}

export function shortId(id) {
  return String(id).slice(0, 8);
}

export function messageLink(id, label = shortId(id)) {
  return html`<a class="id" href=${address("messages", {}, id)} title=${id}>${label}</a>`;
}

/** The key, and the tenant when there is one. */
export function streamName(stream) {
  return html`<span class="stream">${tenantOf(stream)}<span class="key" title="key">${foreign(stream.key)}</span></span>`;
}

/** topic / key, and the tenant when there is one. */
export function messageName(message) {
  return html`<span class="stream"
    >${tenantOf(message)}<span class="topic">${foreign(message.topic)}</span
    >${message.key === null || message.key === undefined ? nothing : html`<span class="key" title="key">${foreign(message.key)}</span>`}</span
  >`;
}

function tenantOf(it) {
  return it.tenant ? html`<span class="tenant" title="tenant">${foreign(it.tenant)}</span>` : nothing;
}

export function reason(name) {
  return name ? html`<span class="reason" title=${name}>${reasonName(name)}</span>` : html`<span class="none">${NONE}</span>`;
}

export function copyButton(text, what) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      announce(`${what} copied`);
    } catch {
      announce(`${what} could not be copied: the browser does not allow it here`);
    }
  };
  return html`<button type="button" class="quiet small" @click=${copy} aria-label="Copy ${what}">${icon("copy")}</button>`;
}
