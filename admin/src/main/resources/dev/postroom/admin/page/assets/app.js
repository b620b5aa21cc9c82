// Starts the page: who are we, where are we, what is to be seen there.
import { html, render } from "./kit/html.js";
import { get } from "./kit/api.js";
import { paintWith, draw } from "./kit/draw.js";
import { Live } from "./kit/live.js";
import { current, onMove } from "./kit/router.js";
import { mayLook, meet, mustSignIn, session } from "./kit/session.js";
import { announce } from "./kit/announce.js";
import { shell, closeMenu } from "./parts/shell.js";
import { verdictOf } from "./parts/badge.js";
import { loading, problem } from "./parts/states.js";
import { noAccessPage } from "./pages/no-access.js";
import { arriveFromIssuer, signInPage } from "./pages/sign-in.js";
import { PAGES_BY_NAME, missing } from "./pages/index.js";

const root = document.getElementById("postroom");
const vital = {
  health: new Live((signal) => get("health", {}, signal), 3_000),
  stats: new Live((signal) => get("stats", {}, signal), 3_000),
};

let following = false;
let place = null;
let verdict = null;

function paint() {
  if (session.me === null) {
    render(session.error ? html`<main class="first-paint">${problem(session.error)}</main>` : html`<main class="first-paint">${loading(3)}</main>`, root);
    return;
  }
  if (mustSignIn()) {
    leave();
    render(signInPage(), root);
    return;
  }
  if (!mayLook()) {
    leave();
    render(noAccessPage(), root);
    return;
  }
  arrive();
  tellVerdict();
  document.title = `${warning()}${place.page.title(place.route)} · Postroom`;
  render(shell(place.route, vital, drawn(place.page)), root);
}

/** An answer of an unexpected shape must not leave a dead screen. */
function drawn(page) {
  try {
    return page.view();
  } catch (error) {
    console.error(error);
    return problem({ title: "This page cannot be drawn", detail: `${error.message}. Reload it; if it stays, the server and the page may be of different versions.` });
  }
}

/** In the browser's tab, where one may be looking from elsewhere. */
function warning() {
  const status = vital.health.data?.status;
  return status === "DOWN" || status === "DEGRADED" ? `${verdictOf(status)[2]}: ` : "";
}

/** Opens the page that the address names, unless it is open already. */
function arrive() {
  if (!following) {
    following = true;
    vital.health.start();
    vital.stats.start();
  }
  const route = current();
  if (place?.hash === location.hash) {
    return;
  }
  const same = place !== null && place.route.page === route.page && place.route.id === route.id;
  if (same) {
    place.page.move?.(route);
    place = { ...place, route, hash: location.hash };
    return;
  }
  place?.page.close?.();
  const opened = (PAGES_BY_NAME[route.page] ?? missing)(route, vital);
  place = { page: opened, route, hash: location.hash };
}

function leave() {
  if (following) {
    following = false;
    vital.health.stop();
    vital.stats.stop();
    place?.page.close?.();
    place = null;
  }
}

function tellVerdict() {
  const status = vital.health.data?.status ?? null;
  if (status !== null && verdict !== null && status !== verdict) {
    announce(`Health is now: ${verdictOf(status)[2]}`);
  }
  verdict = status ?? verdict;
}

onMove(() => {
  const before = place?.route;
  closeMenu();
  draw();
  const route = current();
  if (before && (before.page !== route.page || before.id !== route.id)) {
    // A new page begins at its top, for the eye and for the keyboard.
    setTimeout(() => {
      window.scrollTo(0, 0);
      document.querySelector("h1")?.focus({ preventScroll: true });
    });
  }
});

// What index.html shows until now is not lit-html's.
root.replaceChildren();
paintWith(paint);
arriveFromIssuer();
meet();
