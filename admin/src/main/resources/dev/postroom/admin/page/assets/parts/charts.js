// The last hour: how fast, how long, how much is left.
import { html } from "../kit/html.js";
import { now } from "../kit/clock.js";
import { count, millis, rate } from "../kit/format.js";
import { empty } from "./states.js";
import "./chart.js";

const perSecond = (value) => `${rate(value)}/s`;
const amount = (value) => count(Math.round(value));
const SHORT = new Intl.NumberFormat("en", { notation: "compact" });
const short = (value) => SHORT.format(value);

export function charts(points) {
  if (points.length < 2) {
    return html`<section class="charts" aria-label="The last hour">
      <div class="panel">${empty("The last hour is being recorded", "Charts appear after the first seconds. They are kept in memory, so that a restart begins anew.", "clock")}</div>
    </section>`;
  }
  return html`<section class="charts" aria-label="The last hour">
    ${chart("Throughput", points, perSecond, [
      ["Delivered", "series-1", "solid", "deliveredPerSecond"],
      ["Failed", "series-3", "dashed", "failedPerSecond"],
    ])}
    ${chart("Time to deliver", points, millis, [
      ["Half within (p50)", "series-1", "solid", "p50Millis"],
      ["95 % within", "series-2", "dashed", "p95Millis"],
      ["99 % within", "series-3", "dotted", "p99Millis"],
    ])}
    ${chart("Backlog", points, amount, [
      ["Waiting", "series-1", "solid", "backlog"],
      ["Dead", "series-3", "dashed", "dead"],
    ], short)}
  </section>`;
}

function chart(title, points, format, series, axis = format) {
  const lines = series.map(([label, tone, dash, name]) => ({
    label,
    tone,
    dash,
    points: points.map((p) => ({ x: Date.parse(p.at), y: p[name] })),
  }));
  return html`<figure class="panel chart">
    <figcaption>
      <h2>${title}</h2>
      <ul class="legend">
        ${lines.map((line) => legend(line, format))}
      </ul>
    </figcaption>
    <postroom-chart role="img" aria-label=${spoken(title, lines, format)} .show=${{ lines, format, axis, end: now() }}></postroom-chart>
  </figure>`;
}

function legend(line, format) {
  const last = latest(line.points);
  return html`<li data-tone=${line.tone} data-dash=${line.dash}><span>${line.label}</span> <strong>${last === null ? "–" : format(last)}</strong></li>`;
}

/** What the lines show, for those who do not see them. */
function spoken(title, lines, format) {
  const each = lines.map((line) => {
    const values = line.points.map((p) => p.y).filter((y) => y !== null && y !== undefined);
    return values.length ? `${line.label} now ${format(values[values.length - 1])}, at most ${format(Math.max(...values))}` : `${line.label}: no values`;
  });
  return `${title} over the last hour. ${each.join(". ")}.`;
}

function latest(points) {
  for (let i = points.length - 1; i >= 0; i--) {
    if (points[i].y !== null && points[i].y !== undefined) {
      return points[i].y;
    }
  }
  return null;
}
