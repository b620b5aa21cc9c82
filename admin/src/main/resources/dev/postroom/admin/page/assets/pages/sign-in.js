// Name and password, or somebody who vouches for us, as the server wants it. The address stays, so that one arrives where one
// was going; what the address has after # is kept here meanwhile, for the issuer does not give it back.
import { html, nothing } from "../kit/html.js";
import { get } from "../kit/api.js";
import { draw } from "../kit/draw.js";
import { signIn } from "../kit/session.js";
import { visible } from "../kit/format.js";
import { icon } from "../parts/icons.js";

const GOING = "postroom.going";
const PASSWORD_ONLY = { password: true, oidc: null };
const REFUSALS = {
  issuer: "The sign-in service cannot be reached. Try again in a moment; if it stays, whoever runs Postroom finds more in its log.",
  expired: "That took too long, or was begun in another window. Sign in again.",
  denied: "The sign-in service did not let you through.",
  nameless: "The sign-in service does not say who you are. Whoever runs Postroom finds more in its log.",
  busy: "Many are signing in at this moment. Try again.",
  refused: "The sign-in service's answer was not accepted. Sign in again; if it stays, whoever runs Postroom finds more in its log.",
};

const state = { busy: false, error: null, ways: null, asked: false };

/** Back from the issuer: with a reason why not in the address, which is taken out of it, or to where one was going. */
export function arriveFromIssuer() {
  const reason = new URLSearchParams(location.search).get("sign-in");
  const going = sessionStorage.getItem(GOING);
  sessionStorage.removeItem(GOING);
  if (reason !== null) {
    state.error = { detail: REFUSALS[reason] ?? REFUSALS.refused };
  }
  if (reason !== null || (going && !location.hash)) {
    history.replaceState(null, "", location.pathname + (location.hash || going || ""));
  }
}

async function askForWays() {
  state.asked = true;
  try {
    state.ways = await get("sign-in");
  } catch {
    state.ways = PASSWORD_ONLY;
  }
  draw();
}

async function submit(event) {
  event.preventDefault();
  const form = event.target;
  const { name, password } = Object.fromEntries(new FormData(form));
  state.busy = true;
  state.error = null;
  draw();
  try {
    await signIn(name, password);
  } catch (error) {
    state.error = error;
    form.elements.password.value = "";
    form.elements.password.focus();
  }
  state.busy = false;
  draw();
}

export function signInPage() {
  document.title = "Sign in · Postroom";
  if (!state.asked) {
    askForWays();
  }
  const { password, oidc } = state.ways ?? { password: false, oidc: null };
  return html`<main class="sign-in">
    <form @submit=${submit}>
      <img src="./assets/mark.svg" alt="" width="44" height="44" />
      <h1>Sign in to Postroom</h1>
      ${state.error ? refusal(state.error) : nothing}
      ${oidc ? issuer(oidc) : nothing} ${password ? fields() : nothing} ${state.ways && !oidc && !password ? html`<p>Open this page through the proxy that signs you in.</p>` : nothing}
    </form>
  </main>`;
}

function issuer({ name, path }) {
  const remember = () => sessionStorage.setItem(GOING, location.hash);
  return html`<a class="button" href="./${path}" @click=${remember}>Sign in with ${visible(name)}</a>`;
}

function fields() {
  return html`<label class="field"><span>Name</span><input name="name" autocomplete="username" required autofocus maxlength="128" /></label>
    <label class="field"><span>Password</span><input name="password" type="password" autocomplete="current-password" required maxlength="1000" /></label>
    <button type="submit" class="primary" ?disabled=${state.busy}>${state.busy ? "Signing in…" : "Sign in"}</button>`;
}

function refusal(error) {
  const wait = error.retryAfterSeconds ? ` Wait ${error.retryAfterSeconds} s, then try again.` : "";
  return html`<p class="outcome" data-tone="bad" role="alert">${icon("bad")}<span>${visible(error.detail || error.title)}${wait}</span></p>`;
}
