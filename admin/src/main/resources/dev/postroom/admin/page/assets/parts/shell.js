// The frame around every page: brand, verdict, the way to each page, who is here, and whether what is shown is fresh.
import { html, nothing } from "../kit/html.js";
import { announcement } from "../kit/announce.js";
import { connection } from "../kit/connection.js";
import { draw } from "../kit/draw.js";
import { count, timeOfDay, visible } from "../kit/format.js";
import { holdUpdates, updates } from "../kit/live.js";
import { address } from "../kit/router.js";
import { seesAll, session, signOut } from "../kit/session.js";
import { isDark, toggleTheme } from "../kit/theme.js";
import { healthBadge } from "./badge.js";
import { changeDialog } from "./dialog.js";
import { icon } from "./icons.js";
import "./ago.js";

const WAYS = [
  ["overview", "Overview"],
  ["failures", "Failures", (stats) => stats.failedPending],
  ["messages", "Messages"],
  ["dead", "Dead letters", (stats) => stats.dead],
  ["streams", "Streams", (stats) => stats.blockedStreams],
  ["destinations", "Destinations"],
  ["relays", "Relays"],
  ["database", "Database"],
  ["audit", "Audit"],
];

/** They show what concerns all tenants. */
const OF_ALL = ["relays", "database", "audit"];

const menu = { open: false };

export function closeMenu() {
  menu.open = false;
}

export function shell(route, vital, content) {
  return html`<a class="skip" href="#content" @click=${skip}>Skip to content</a>
    <header class="bar">
      <a class="brand" href=${address("overview")}>${mark()}<span>Postroom</span></a>
      <span class="bar-verdict">${vital.health.data ? healthBadge(vital.health.data.status) : nothing}</span>
      <button type="button" class="menu-button" aria-expanded=${menu.open ? "true" : "false"} aria-controls="ways" @click=${toggleMenu} @keydown=${closeWithEscape}>
        ${icon(menu.open ? "close" : "menu")}<span class="hidden">Menu</span>
      </button>
    </header>
    <div class="side" id="ways" data-open=${menu.open ? "yes" : "no"} @keydown=${closeWithEscape}>
      <nav aria-label="Pages">
        <ul>
          ${WAYS.filter(([page]) => seesAll() || !OF_ALL.includes(page)).map(([page, label, counted]) => way(route, page, label, counted, vital.stats.data))}
        </ul>
      </nav>
      ${who()}
    </div>
    <main id="content" tabindex="-1">${freshness()}${content}</main>
    <p class="hidden" role="status" aria-live="polite">${announcement.text}</p>
    ${changeDialog()}`;
}

function way(route, page, label, counted, stats) {
  const n = counted && stats ? counted(stats) : 0;
  return html`<li>
    <a href=${address(page)} aria-current=${route.page === page ? "page" : "false"}>
      ${icon(page)}<span>${label}</span>${n > 0 ? html`<span class="tally" data-tone=${page === "dead" ? "bad" : "warn"}>${short(n)}</span>` : nothing}
    </a>
  </li>`;
}

function short(n) {
  return n > 9_999 ? new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 2 }).format(n) : count(n);
}

function who() {
  const { me } = session;
  return html`<section class="who" aria-label="You">
    <button type="button" class="plain" @click=${toggleTheme}>${icon(isDark() ? "sun" : "moon")}<span>${isDark() ? "Light" : "Dark"} theme</span></button>
    ${me?.canSignOut ? html`<button type="button" class="plain" @click=${signOut}>${icon("out")}<span>Sign out</span></button>` : nothing}
    ${me?.name ? html`<p><bdi>${visible(me.name)}</bdi> <span class="role">${me.role === "operator" ? "operator" : "viewer, looks only"}${seesAll() ? nothing : html` of <bdi>${visible(me.tenants.join(", "))}</bdi>`}</span></p>` : nothing}
  </section>`;
}

/** Never leaves in doubt whether the screen shows the present. */
function freshness() {
  if (connection.lost) {
    return html`<div class="freshness" data-tone="bad" role="alert">
      ${icon("bad")}
      <p>
        <strong>${visible(connection.lost.title)}.</strong> ${visible(connection.lost.detail)}
        ${connection.lastAnswer ? html`What you see is from ${timeOfDay(connection.lastAnswer)}.` : nothing} Trying again by itself.
      </p>
    </div>`;
  }
  return html`<div class="freshness" data-tone=${updates.held ? "warn" : "calm"}>
    <p>${updates.held ? "Updates are held" : html`<span class="pulse" aria-hidden="true"></span>Live`}</p>
    <button type="button" class="quiet small" @click=${() => holdUpdates(!updates.held)}>
      ${icon(updates.held ? "play" : "pause")}${updates.held ? "Go on" : "Hold updates"}
    </button>
  </div>`;
}

function mark() {
  return html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <path d="M6 9.5h20v12a2.5 2.5 0 0 1-2.5 2.5h-15A2.5 2.5 0 0 1 6 21.5z" />
    <path class="flap" d="m6 10 10 8 10-8" />
  </svg>`;
}

function skip(event) {
  event.preventDefault();
  document.getElementById("content").focus();
}

function toggleMenu() {
  menu.open = !menu.open;
  draw();
}

function closeWithEscape(event) {
  if (event.key === "Escape" && menu.open) {
    menu.open = false;
    draw();
    document.querySelector(".menu-button").focus();
  }
}
