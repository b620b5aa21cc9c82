// Who sits in front of the screen, and what they may do. The server checks every action again.
import { get, post, whenSignInIsNeeded } from "./api.js";
import { draw } from "./draw.js";
import { refreshAll } from "./live.js";

const RETRY_MILLIS = 2_000;

export const session = { me: null, error: null };
let asking = false;

export function mayChange() {
  return session.me?.role === "operator";
}

/** Whether they are bound to no tenant: what concerns all is refused to the others. */
export function seesAll() {
  return !session.me?.tenants;
}

export function mayReveal() {
  return session.me?.mayReveal === true;
}

export function mustSignIn() {
  return session.me?.signInNeeded === true && !session.me.signedIn;
}

export function mayLook() {
  return session.me?.role === "operator" || session.me?.role === "viewer";
}

/** Asks who we are until the server tells. */
export async function meet() {
  if (asking) {
    return;
  }
  asking = true;
  try {
    session.me = await get("me");
    session.error = null;
  } catch (error) {
    session.error = error;
    setTimeout(meet, RETRY_MILLIS);
  } finally {
    asking = false;
    draw();
  }
}

export async function signIn(name, password) {
  await post("sign-in", { name, password });
  await meet();
  refreshAll();
}

export async function signOut() {
  await post("sign-out");
  await meet();
}

whenSignInIsNeeded(meet);
