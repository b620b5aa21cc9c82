// A payload is data of strangers. It is only ever shown as text. Pure.

/** One shape for what the server may send: a string, {"text"}, {"base64"}; null when there is none. */
export function content(detail) {
  const payload = detail.payload;
  if (payload === null || payload === undefined) {
    return null;
  }
  if (typeof payload === "string") {
    return { kind: "text", text: payload, isWhole: detail.payloadIsWhole !== false };
  }
  const isWhole = payload.truncated === undefined ? detail.payloadIsWhole !== false : !payload.truncated;
  if (typeof payload.text === "string") {
    return { kind: "text", text: payload.text, isWhole };
  }
  return { kind: "bytes", base64: payload.base64 ?? "", isWhole };
}

export function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * JSON with line breaks and indentation, and otherwise as it came. Parsing and printing it again would round large numbers
 * and drop repeated names, which is just what somebody who reads a payload at night must not be told.
 */
export function indented(json) {
  const out = [];
  let depth = 0;
  let i = 0;
  const line = () => out.push("\n", "  ".repeat(depth));
  while (i < json.length) {
    const c = json[i];
    if (c === '"') {
      const end = endOfString(json, i);
      out.push(json.slice(i, end));
      i = end;
      continue;
    }
    if (c === "{" || c === "[") {
      const close = c === "{" ? "}" : "]";
      const next = skipSpace(json, i + 1);
      if (json[next] === close) {
        out.push(c, close);
        i = next + 1;
        continue;
      }
      out.push(c);
      depth++;
      line();
    } else if (c === "}" || c === "]") {
      depth--;
      line();
      out.push(c);
    } else if (c === ",") {
      out.push(c);
      line();
    } else if (c === ":") {
      out.push(": ");
    } else if (!/\s/.test(c)) {
      out.push(c);
    }
    i++;
  }
  return out.join("");
}

function endOfString(json, start) {
  let i = start + 1;
  while (i < json.length && json[i] !== '"') {
    i += json[i] === "\\" ? 2 : 1;
  }
  return i + 1;
}

function skipSpace(json, start) {
  let i = start;
  while (/\s/.test(json[i] ?? "")) {
    i++;
  }
  return i;
}

/** The classic three columns: offset, bytes, what of them is readable. */
export function hexLines(base64, mostBytes) {
  const raw = atob(base64);
  const lines = [];
  for (let at = 0; at < Math.min(raw.length, mostBytes); at += 16) {
    const row = raw.slice(at, Math.min(at + 16, mostBytes));
    const hex = Array.from(row, (c) => c.charCodeAt(0).toString(16).padStart(2, "0"));
    const readable = row.replace(/[^\x20-\x7e]/g, "·");
    lines.push(`${at.toString(16).padStart(6, "0")}  ${hex.join(" ").padEnd(47)}  ${readable}`);
  }
  return lines.join("\n");
}
