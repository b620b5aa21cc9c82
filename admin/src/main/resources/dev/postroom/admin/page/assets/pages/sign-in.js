// Name and password, when the server wants them. The address stays, so that one arrives where one was going.
import { html, nothing } from "../kit/html.js";
import { draw } from "../kit/draw.js";
import { signIn } from "../kit/session.js";
import { visible } from "../kit/format.js";
import { icon } from "../parts/icons.js";

const state = { busy: false, error: null };

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
  return html`<main class="sign-in">
    <form @submit=${submit}>
      <img src="./assets/mark.svg" alt="" width="44" height="44" />
      <h1>Sign in to Postroom</h1>
      ${state.error ? refusal(state.error) : nothing}
      <label class="field"><span>Name</span><input name="name" autocomplete="username" required autofocus maxlength="128" /></label>
      <label class="field"><span>Password</span><input name="password" type="password" autocomplete="current-password" required maxlength="1000" /></label>
      <button type="submit" class="primary" ?disabled=${state.busy}>${state.busy ? "Signing in…" : "Sign in"}</button>
    </form>
  </main>`;
}

function refusal(error) {
  const wait = error.retryAfterSeconds ? ` Wait ${error.retryAfterSeconds} s, then try again.` : "";
  return html`<p class="outcome" data-tone="bad" role="alert">${icon("bad")}<span>${visible(error.detail || error.title)}${wait}</span></p>`;
}
