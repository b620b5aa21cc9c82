// The one place that knows where lit-html comes from.
export { html, svg, render, nothing } from "../../webjars/lit-html/lit-html.js";
export { repeat } from "../../webjars/lit-html/directives/repeat.js";
export { live } from "../../webjars/lit-html/directives/live.js";
export { ifDefined } from "../../webjars/lit-html/directives/if-defined.js";
export { classMap } from "../../webjars/lit-html/directives/class-map.js";
