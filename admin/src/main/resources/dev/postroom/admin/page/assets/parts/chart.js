// <postroom-chart>: lines over the last hour, drawn by Chart.js. Colours come from the style sheet, so that they follow the theme;
// each line also has its own dash, so that colour is not needed to tell them apart.
import { timeOfDay } from "../kit/format.js";

const DASHES = { solid: [], dashed: [6, 3], dotted: [2, 3] };
const HOUR = 3_600_000;

const TEN_MINUTES = 600_000;

/** Every ten minutes by the clock on the wall. */
function roundTimes(from, to) {
  const ticks = [];
  for (let t = Math.ceil(from / TEN_MINUTES) * TEN_MINUTES; t <= to; t += TEN_MINUTES) {
    ticks.push({ value: t });
  }
  return ticks;
}

class Lines extends HTMLElement {
  #chart = null;
  #lines = [];
  #format = String;
  #axis = String;
  #end = Date.now();
  #retheme = () => this.#rebuild();

  connectedCallback() {
    window.addEventListener("postroom-theme", this.#retheme);
    this.#rebuild();
  }

  disconnectedCallback() {
    window.removeEventListener("postroom-theme", this.#retheme);
    this.#chart?.destroy();
    this.#chart = null;
  }

  /** {lines: [{label, tone, dash, points: [{x, y}]}], format, axis, end} */
  set show({ lines, format, axis, end }) {
    this.#lines = lines;
    this.#format = format;
    this.#axis = axis ?? format;
    this.#end = end;
    if (this.isConnected) {
      this.#chart && this.#chart.data.datasets.length === lines.length ? this.#update() : this.#rebuild();
    }
  }

  #update() {
    this.#chart.data.datasets.forEach((set, i) => (set.data = this.#lines[i].points));
    Object.assign(this.#chart.options.scales.x, { min: this.#end - HOUR, max: this.#end });
    this.#chart.update("none");
  }

  #rebuild() {
    if (!window.Chart) {
      return;
    }
    this.#chart?.destroy();
    this.replaceChildren();
    const canvas = this.appendChild(document.createElement("canvas"));
    canvas.setAttribute("aria-hidden", "true");
    this.#chart = new window.Chart(canvas, this.#settings());
  }

  /** The style sheet gives each colour for light and dark at once; only an element knows which of them it is. */
  #colour(name) {
    this.style.setProperty("outline-color", `var(--${name})`);
    const colour = getComputedStyle(this).outlineColor;
    this.style.removeProperty("outline-color");
    return colour;
  }

  #settings() {
    const style = getComputedStyle(this);
    const tone = (name) => this.#colour(name);
    const text = { color: tone("muted"), font: { family: style.fontFamily, size: 11 } };
    const format = (value) => this.#format(value);
    return {
      type: "line",
      data: {
        datasets: this.#lines.map((line, i) => ({
          label: line.label,
          data: line.points,
          borderColor: tone(line.tone),
          backgroundColor: tone(`${line.tone}-wash`),
          fill: i === 0 && line.dash === "solid",
          borderWidth: 1.75,
          borderDash: DASHES[line.dash],
          pointRadius: 0,
          pointHitRadius: 8,
          tension: 0.25,
          spanGaps: 30_000,
        })),
      },
      options: {
        parsing: false,
        normalized: true,
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        interaction: { mode: "index", intersect: false },
        plugins: {
          legend: { display: false },
          tooltip: {
            backgroundColor: tone("ink"),
            titleColor: tone("surface"),
            bodyColor: tone("surface"),
            padding: 10,
            cornerRadius: 6,
            callbacks: {
              title: (hits) => (hits.length ? timeOfDay(hits[0].parsed.x) : ""),
              label: (hit) => ` ${hit.dataset.label}: ${format(hit.parsed.y)}`,
            },
          },
        },
        scales: {
          x: {
            type: "linear",
            min: this.#end - HOUR,
            max: this.#end,
            grid: { display: false },
            border: { color: tone("line") },
            afterBuildTicks: (axis) => (axis.ticks = roundTimes(axis.min, axis.max)),
            ticks: { ...text, maxRotation: 0, callback: (x) => timeOfDay(x, false) },
          },
          y: {
            beginAtZero: true,
            suggestedMax: 1,
            grid: { color: tone("line") },
            border: { display: false },
            ticks: { ...text, maxTicksLimit: 5, callback: (value) => this.#axis(value) },
          },
        },
      },
    };
  }
}

customElements.define("postroom-chart", Lines);
