// Line drawings on a 24-unit grid, our own. Always beside a word or a label: never the only sign.
import { html, svg } from "../kit/html.js";

const SHAPES = {
  overview: svg`<path d="M3 12h4l2.5-6 4 12 2.5-6H21" />`,
  failures: svg`<path d="M12 4 2.8 19.5h18.4z" /><path d="M12 10v4.5M12 17v.2" />`,
  messages: svg`<path d="M3.5 6h17v12h-17z" /><path d="m3.5 7 8.5 6.5L20.5 7" />`,
  dead: svg`<path d="M4 13v6h16v-6l-3-8H7z" /><path d="M4 13h5l1 2.5h4l1-2.5h5" />`,
  streams: svg`<path d="M3 7c4-3 6 3 9 0s5-3 9 0M3 12.5c4-3 6 3 9 0s5-3 9 0M3 18c4-3 6 3 9 0s5-3 9 0" />`,
  destinations: svg`<path d="M12 21s-6.5-6-6.5-11a6.5 6.5 0 0 1 13 0c0 5-6.5 11-6.5 11z" /><circle cx="12" cy="10" r="2.3" />`,
  relays: svg`<rect x="4" y="4.5" width="16" height="6" rx="1.5" /><rect x="4" y="13.5" width="16" height="6" rx="1.5" /><path d="M7.5 7.5h.1M7.5 16.5h.1" />`,
  database: svg`<ellipse cx="12" cy="6" rx="7.5" ry="3" /><path d="M4.5 6v12c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3V6M4.5 12c0 1.66 3.36 3 7.5 3s7.5-1.34 7.5-3" />`,
  audit: svg`<path d="M7 3.5h10a1.5 1.5 0 0 1 1.5 1.5v15.5h-13V5A1.5 1.5 0 0 1 7 3.5z" /><path d="M9 8.5h6M9 12.5h6M9 16.5h3.5" />`,
  ok: svg`<circle cx="12" cy="12" r="9" /><path d="m8 12.3 2.8 2.7L16 9.5" />`,
  warn: svg`<path d="M12 3.5 2.5 20h19z" /><path d="M12 10v4.5M12 17v.2" />`,
  bad: svg`<path d="M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3z" /><path d="m9 9 6 6M15 9l-6 6" />`,
  unknown: svg`<circle cx="12" cy="12" r="9" /><path d="M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .7-1 1.7M12 16.5v.2" />`,
  pause: svg`<path d="M8.5 5.5v13M15.5 5.5v13" />`,
  play: svg`<path d="M7.5 5v14l11-7z" />`,
  retry: svg`<path d="M4.5 12a7.5 7.5 0 1 0 2.5-5.6" /><path d="M7.5 2.8 6.7 6.7l4 .7" />`,
  skip: svg`<path d="M5 5.5v13l8.5-6.5zM18.5 5.5v13" />`,
  trash: svg`<path d="M4.5 6.5h15M9.5 6V4h5v2M6.5 6.5l1 13.5h9l1-13.5" />`,
  release: svg`<path d="M6 11h12v9H6z" /><path d="M8.5 11V8a3.5 3.5 0 0 1 6.8-1.2" />`,
  menu: svg`<path d="M4 7h16M4 12h16M4 17h16" />`,
  close: svg`<path d="m6 6 12 12M18 6 6 18" />`,
  sun: svg`<circle cx="12" cy="12" r="4" /><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4" />`,
  moon: svg`<path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z" />`,
  out: svg`<path d="M10 4.5H5v15h5M14.5 8l4 4-4 4M18.5 12H9.5" />`,
  search: svg`<circle cx="10.5" cy="10.5" r="6" /><path d="m15 15 5 5" />`,
  copy: svg`<rect x="8.5" y="8.5" width="11" height="11" rx="1.5" /><path d="M15.5 8.5v-4h-11v11h4" />`,
  eye: svg`<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" /><circle cx="12" cy="12" r="2.8" />`,
  up: svg`<path d="M12 19V5.5M6 11l6-6 6 6" />`,
  down: svg`<path d="M12 5v13.5M6 13l6 6 6-6" />`,
  level: svg`<path d="M5 12h13.5M13 6l6 6-6 6" />`,
  right: svg`<path d="m9.5 5.5 6.5 6.5-6.5 6.5" />`,
  left: svg`<path d="M14.5 5.5 8 12l6.5 6.5" />`,
  clock: svg`<circle cx="12" cy="12" r="8.5" /><path d="M12 7v5.3l3.5 2" />`,
  send: svg`<path d="M3.5 11.5 20.5 4l-5 16.5-4-7z" /><path d="m11.5 13.5 9-9.5" />`,
};

export function icon(name) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${SHAPES[name] ?? SHAPES.unknown}</svg>`;
}
