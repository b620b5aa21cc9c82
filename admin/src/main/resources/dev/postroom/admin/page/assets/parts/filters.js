// The filters of a list of messages. They live in the address, never in here: a field is set when the address changes, and
// otherwise left to whoever is typing in it.
import { html, nothing } from "../kit/html.js";
import { reasonName } from "../kit/format.js";
import { address, go } from "../kit/router.js";
import { icon } from "./icons.js";
import { foreign } from "./text.js";

export const REASONS = [
  "TRANSPORT_UNAVAILABLE",
  "HANDLER_EXCEPTION",
  "VALIDATION_FAILURE",
  "TIMEOUT",
  "SERIALIZATION",
  "DEPENDENCY_FAILURE",
  "POISON",
  "UNKNOWN",
];

const LABELS = {
  q: "Text",
  topic: "Topic",
  key: "Key",
  tenant: "Tenant",
  type: "Type",
  reason: "Reason",
  minAttempts: "Attempts at least",
  hasError: "Has an error",
  createdAfter: "Written after",
  createdBefore: "Written before",
  staleSeconds: "Waiting longer than",
};

const NAMES = Object.keys(LABELS);

/** What the address asks the server for. */
export function queryOf(route) {
  const query = {};
  for (const name of ["status", ...NAMES]) {
    if (route.query[name]) {
      query[name] = route.query[name];
    }
  }
  return query;
}

/** The same for the body of an action, with numbers and truths as such. */
export function filterOf(query) {
  const filter = { ...query };
  for (const name of ["minAttempts", "staleSeconds"]) {
    if (filter[name] !== undefined) {
      filter[name] = Number(filter[name]);
    }
  }
  if (filter.hasError !== undefined) {
    filter.hasError = filter.hasError === "true";
  }
  return filter;
}

export function filters(page, route, fixed = {}) {
  const move = (event) => {
    event.preventDefault();
    const form = event.target.form ?? event.target;
    go(address(page, { ...statusOf(route, fixed), ...valuesOf(form) }));
  };
  const active = NAMES.filter((name) => route.query[name]);
  const hidden = active.some((name) => name !== "q");
  return html`<form class="filters" role="search" aria-label="Filter messages" @submit=${move} @change=${move} @search=${move}>
    <div class="search">
      ${icon("search")}
      <label class="hidden" for="filter-q">Search in id, topic, key, type and error</label>
      <input id="filter-q" name="q" type="search" maxlength="200" placeholder="Search id, topic, key, type, error" autocomplete="off" .value=${route.query.q ?? ""} />
    </div>
    <details class="more" ?open=${hidden}>
      <summary>More filters</summary>
      <div class="grid">${fields(route)}</div>
    </details>
    ${active.length ? html`<ul class="chips" aria-label="Active filters">${active.map((name) => chip(page, route, name))}<li><a href=${address(page, statusOf(route, fixed))}>Clear all</a></li></ul>` : nothing}
  </form>`;
}

function statusOf(route, fixed) {
  return fixed.status ? {} : { status: route.query.status };
}

function fields(route) {
  const text = (name) => html`<label class="field"><span>${LABELS[name]}</span><input name=${name} autocomplete="off" .value=${route.query[name] ?? ""} /></label>`;
  const number = (name, hint) => html`<label class="field"><span>${LABELS[name]}</span><input name=${name} type="number" min="0" placeholder=${hint} .value=${route.query[name] ?? ""} /></label>`;
  const time = (name) => html`<label class="field"><span>${LABELS[name]}</span><input name=${name} type="datetime-local" .value=${toLocal(route.query[name])} /></label>`;
  return html`${["topic", "key", "tenant", "type"].map(text)}
    <label class="field"><span>Reason</span>
      <select name="reason" .value=${route.query.reason ?? ""}>
        <option value="">Any</option>
        ${REASONS.map((name) => html`<option value=${name} ?selected=${route.query.reason === name}>${reasonName(name)}</option>`)}
      </select>
    </label>
    ${number("minAttempts", "0")} ${number("staleSeconds", "seconds")} ${time("createdAfter")} ${time("createdBefore")}
    <label class="field check"><input name="hasError" type="checkbox" value="true" .checked=${route.query.hasError === "true"} /><span>Has an error</span></label>`;
}

function valuesOf(form) {
  const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
  for (const name of ["createdAfter", "createdBefore"]) {
    values[name] = values[name] ? new Date(values[name]).toISOString() : "";
  }
  return values;
}

/** An instant as the field wants it: local time without a zone. */
function toLocal(iso) {
  const at = new Date(iso ?? "");
  if (Number.isNaN(at.getTime())) {
    return "";
  }
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function chip(page, route, name) {
  const rest = { ...route.query, [name]: "", page: "" };
  return html`<li>
    <a class="chip" href=${address(page, rest)}
      ><span class="hidden">Remove filter</span> <span>${LABELS[name]}</span> ${name === "hasError" ? nothing : foreign(route.query[name], 60)} ${icon("close")}</a
    >
  </li>`;
}
