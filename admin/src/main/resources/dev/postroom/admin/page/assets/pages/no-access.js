// Somebody whom the application around us, or an issuer, lets in, but not to here.
import { html, nothing } from "../kit/html.js";
import { visible } from "../kit/format.js";
import { meet, session, signOut } from "../kit/session.js";
import { icon } from "../parts/icons.js";
import { empty } from "../parts/states.js";

export function noAccessPage() {
  document.title = "No access · Postroom";
  const { me } = session;
  const who = me.signedIn && me.name ? `You are signed in as ${visible(me.name)}, who may not look at the outbox.` : "Nobody is signed in.";
  const again = html`<button type="button" @click=${meet}>${icon("retry")}Look again</button>
    ${me.canSignOut ? html`<button type="button" @click=${signOut}>Sign out</button>` : nothing}`;
  const what = me.canSignOut
    ? "Ask whoever runs it for a group that may look, or sign in as somebody else."
    : "Sign in to the application around it with a role that may look at the outbox, or ask whoever runs it for one.";
  return html`<main class="sign-in">
    <div class="no-access">
      <h1>Postroom</h1>
      ${empty("This page is closed to you", `${who} ${what}`, "release", again)}
    </div>
  </main>`;
}
