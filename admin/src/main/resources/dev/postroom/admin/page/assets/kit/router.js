// The address says everything that is on the screen: #/messages?status=dead&topic=orders. It can be bookmarked, sent to a
// colleague, and the back button works. Behind the # because the page may be served below any path.
export const PAGES = ["overview", "failures", "messages", "dead", "streams", "destinations", "relays", "database", "audit"];

const OTHER_NAMES = {
  "": "overview",
  health: "overview",
  "dead-letters": "dead",
  nodes: "relays",
  lanes: "relays",
  "streams/blocked": "streams",
};

export function parse(hash) {
  const [path, query = ""] = hash.replace(/^#?\/?/, "").split("?", 2);
  const whole = path.replace(/\/+$/, "");
  const known = OTHER_NAMES[whole] ?? whole;
  const [first, ...rest] = known.split("/");
  const page = PAGES.includes(first) ? first : "missing";
  return { page, id: rest.length ? decode(rest.join("/")) : null, query: Object.fromEntries(new URLSearchParams(query)) };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function address(page, query = {}, id = null) {
  const words = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(words).toString();
  return `#/${page}${id === null ? "" : `/${encodeURIComponent(id)}`}${search ? `?${search}` : ""}`;
}

/** An address that the server suggested; null unless it leads to one of our pages. */
export function suggested(link) {
  if (typeof link !== "string" || link === "") {
    return null;
  }
  const route = parse(link);
  return route.page === "missing" ? null : address(route.page, route.query, route.id);
}

export function current() {
  return parse(location.hash);
}

export function go(to, { replace = false } = {}) {
  if (replace) {
    history.replaceState(null, "", to);
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  } else {
    location.hash = to;
  }
}

export function onMove(callback) {
  window.addEventListener("hashchange", callback);
}
