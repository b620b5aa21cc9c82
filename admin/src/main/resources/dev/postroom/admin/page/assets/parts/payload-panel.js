// A payload may hold what nobody should read over a shoulder: it is fetched only when asked for, and shown as text, whatever it is.
import { html, nothing } from "../kit/html.js";
import { get, part, post } from "../kit/api.js";
import { draw } from "../kit/draw.js";
import { bytes, visible, whole } from "../kit/format.js";
import { content, hexLines, indented, isJson } from "../kit/payload.js";
import { mayReveal } from "../kit/session.js";
import { icon } from "./icons.js";
import { loading, problem } from "./states.js";
import { copyButton } from "./text.js";

const SHOWN_AT_FIRST = 20_000;
const MOST_BYTES_AS_HEX = 4_096;

export class PayloadPanel {
  #id;
  #state = "hidden";
  #payload = null;
  #error = null;
  #whole = false;
  #redacted = false;
  #headers = null;

  constructor(id) {
    this.#id = id;
  }

  /** The message as it may be shown now: with its headers, once they are revealed. */
  revealed(message) {
    return this.#headers === null ? message : { ...message, headers: this.#headers };
  }

  close() {
    this.#payload = null;
    this.#headers = null;
    this.#state = "hidden";
  }

  view(message) {
    return html`<section class="panel payload" aria-labelledby="payload">
      <div class="panel-head">
        <h2 id="payload">Payload <span class="sub">${bytes(message.payloadBytes)}</span></h2>
        ${this.#state === "shown" ? this.#tools() : nothing}
      </div>
      ${this.#contents()}
    </section>`;
  }

  #show() {
    return this.#fetch(() => get(`messages/${part(this.#id)}`, { payload: "true" }));
  }

  /** Written to the audit, every time. */
  #reveal() {
    return this.#fetch(async () => {
      const detail = await post(`messages/${part(this.#id)}/reveal`);
      this.#headers = detail.headers ?? {};
      return detail;
    });
  }

  async #fetch(call) {
    this.#state = "loading";
    draw();
    try {
      const detail = await call();
      this.#redacted = detail.redacted === true;
      this.#payload = prepared(detail);
      this.#state = "shown";
    } catch (error) {
      this.#error = error;
      this.#state = "failed";
    }
    draw();
  }

  #hide() {
    this.close();
    draw();
  }

  #tools() {
    return html`<span class="actions">${this.#redacted && mayReveal()
        ? html`<button type="button" class="quiet small" title="Written to the audit" @click=${() => this.#reveal()}>${icon("eye")}Reveal</button>`
        : nothing}${this.#payload?.raw ? copyButton(this.#payload.raw, "payload") : nothing}
      <button type="button" class="quiet small" @click=${() => this.#hide()}>Hide</button></span>`;
  }

  #contents() {
    switch (this.#state) {
      case "hidden":
        return html`<div class="curtain">
          <p>Hidden, as it may hold personal data.</p>
          <button type="button" @click=${() => this.#show()}>${icon("eye")}Show payload</button>
        </div>`;
      case "loading":
        return loading(4);
      case "failed":
        return problem(this.#error, () => this.#show());
      default:
        return this.#payload === null ? html`<p class="none pad">It is empty, or it is kept from view here.</p>` : this.#text();
    }
  }

  #text() {
    const { shown, note } = this.#payload;
    const cutOff = !this.#whole && shown.length > SHOWN_AT_FIRST;
    const all = () => {
      this.#whole = true;
      draw();
    };
    return html`${this.#redacted ? html`<p class="hint pad">Some of this message is redacted.</p>` : nothing}${note ? html`<p class="hint pad">${note}</p>` : nothing}
      <pre class="content" tabindex="0" aria-label="Payload as text" dir="ltr">${cutOff ? shown.slice(0, SHOWN_AT_FIRST) : shown}</pre>
      ${cutOff ? html`<p class="pad"><button type="button" class="small" @click=${all}>Show all ${whole(shown.length)} characters</button></p>` : nothing}`;
  }
}

function prepared(detail) {
  const payload = content(detail);
  if (payload === null) {
    return null;
  }
  const rest = payload.isWhole ? "" : "Cut off: only the beginning is shown. ";
  if (payload.kind === "bytes") {
    return { raw: payload.base64, shown: hexLines(payload.base64, MOST_BYTES_AS_HEX), note: `${rest}Not text: shown as hexadecimal, up to ${bytes(MOST_BYTES_AS_HEX)}. Copy gives Base64.` };
  }
  const json = isJson(payload.text);
  const lines = (json ? indented(payload.text) : payload.text).split("\n").map(visible).join("\n");
  return { raw: payload.text, shown: lines, note: rest + (json ? "JSON, indented for reading; numbers and names are as they came." : "") };
}
