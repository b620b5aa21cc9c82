// Is it healthy, and if not, what is wrong and what should I do? Then the numbers, then the last hour.
import { html, nothing } from "../kit/html.js";
import { get, items } from "../kit/api.js";
import { Live } from "../kit/live.js";
import { seesAll } from "../kit/session.js";
import { charts } from "../parts/charts.js";
import { heading } from "../parts/heading.js";
import { tiles } from "../parts/tiles.js";
import { topFailures } from "../parts/top-failures.js";
import { verdict } from "../parts/verdict.js";
import { shown } from "../parts/states.js";

export function overview(route, vital) {
  const history = new Live((signal) => get("history", {}, signal), 5_000);
  const nodes = new Live((signal) => get("nodes", {}, signal), 5_000);
  if (seesAll()) {
    history.start();
    nodes.start();
  }
  const destinations = new Live((signal) => get("destinations", {}, signal), 5_000).start();
  const failures = new Live((signal) => get("failures", {}, signal), 10_000).start();
  const all = [history, nodes, destinations, failures];
  return {
    title: () => "Overview",
    view: () => html`${heading("Overview")} ${shown(vital.health, (health) => verdict(health, vital.stats.data), 3)}
      ${shown(vital.stats, (stats) => tiles(stats, history.data?.points ?? [], seesAll() ? listed(nodes) : undefined, listed(destinations)), 3)}
      ${seesAll() ? shown(history, (data) => charts(data.points), 6) : nothing} ${shown(failures, (data) => topFailures(items(data)), 3)}`,
    close: () => all.forEach((one) => one.stop()),
  };
}

/** Null while it is not known. */
function listed(live) {
  return live.data === null ? null : items(live.data);
}
