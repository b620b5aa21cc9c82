// The first line of a page; it takes the focus when the page opens.
import { html, nothing } from "../kit/html.js";

export function heading(title, lead = nothing, actions = nothing) {
  return html`<div class="heading">
    <div>
      <h1 tabindex="-1">${title}</h1>
      ${lead === nothing ? nothing : html`<p class="lead">${lead}</p>`}
    </div>
    ${actions === nothing ? nothing : html`<div class="actions">${actions}</div>`}
  </div>`;
}
