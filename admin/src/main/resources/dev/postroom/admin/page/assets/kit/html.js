// The one place that knows where lit-html comes from.
export { html, svg, render, nothing } from "../../webjars/lit-html/lit-html.js";
export { repeat } from "../../webjars/lit-html/directives/repeat.js";
