// Every page by its name in the address. A page is opened with its route and gives {title, view, move?, close?}.
import { html } from "../kit/html.js";
import { address } from "../kit/router.js";
import { empty } from "../parts/states.js";
import { heading } from "../parts/heading.js";
import { audit } from "./audit.js";
import { database } from "./database.js";
import { deadLetters } from "./dead-letters.js";
import { destinations } from "./destinations.js";
import { failures } from "./failures.js";
import { message } from "./message.js";
import { messages } from "./messages.js";
import { overview } from "./overview.js";
import { relays } from "./relays.js";
import { streams } from "./streams.js";

export const PAGES_BY_NAME = {
  overview,
  failures,
  messages: (route, vital) => (route.id === null ? messages(route, vital) : message(route, vital)),
  dead: deadLetters,
  streams,
  destinations,
  relays,
  database,
  audit,
};

export function missing() {
  return {
    title: () => "No such page",
    view: () => html`${heading("No such page")}
      ${empty("There is nothing at this address", "Perhaps a link was cut off.", "unknown", html`<a class="button" href=${address("overview")}>To the overview</a>`)}`,
  };
}
