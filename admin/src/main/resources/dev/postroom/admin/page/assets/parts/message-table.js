// Messages in rows; on a narrow screen each row becomes a card.
import { html, nothing, repeat } from "../kit/html.js";
import { whole } from "../kit/format.js";
import { address } from "../kit/router.js";
import { messageStatus } from "./badge.js";
import { age, foreign, reason, shortId } from "./text.js";

export function messageTable(items, caption) {
  return html`<table class="rows">
    <caption class="hidden">${caption}</caption>
    <thead>
      <tr>
        <th scope="col">Status</th>
        <th scope="col">Topic and key</th>
        <th scope="col">Id</th>
        <th scope="col" class="number">Attempts</th>
        <th scope="col" class="number">Age</th>
        <th scope="col">Last error</th>
      </tr>
    </thead>
    <tbody>
      ${repeat(items, (item) => item.id, row)}
    </tbody>
  </table>`;
}

function row(item) {
  return html`<tr>
    <td data-label="Status">${messageStatus(item.status)}</td>
    <th scope="row" data-label="Topic">
      <a class="main" href=${address("messages", {}, item.id)}>${foreign(item.topic)}</a>
      <span class="sub">
        ${item.key === null || item.key === undefined ? html`<span class="none">no key</span>` : html`<span class="key">${foreign(item.key)}</span>`}
        ${item.tenant ? html`<span class="tenant">${foreign(item.tenant)}</span>` : nothing}
        ${item.type && item.type !== item.topic ? html`<span class="type">${foreign(item.type)}</span>` : nothing}
      </span>
    </th>
    <td data-label="Id"><code class="id" title=${item.id}>${shortId(item.id)}</code></td>
    <td data-label="Attempts" class="number">${whole(item.attempts)}</td>
    <td data-label="Age" class="number">${age(item.createdAt)}</td>
    <td data-label="Last error" class="error-cell">
      ${item.reason || item.errorSnippet
        ? html`${item.reason ? reason(item.reason) : nothing} <span class="sub clamp">${foreign(item.errorSnippet, 200)}</span>`
        : html`<span class="none">none</span>`}
    </td>
  </tr>`;
}
