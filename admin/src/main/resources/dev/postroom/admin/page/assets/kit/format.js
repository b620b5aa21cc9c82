// Numbers, times and texts as people read them. Pure.
const WHOLE = new Intl.NumberFormat("en");
const ONE_DIGIT = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const ROUNDED = new Intl.NumberFormat("en", { notation: "compact", compactDisplay: "long", maximumSignificantDigits: 2 });
const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const SHORT_TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const DAY_AND_YEAR = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** The server counts exactly up to here and estimates above. */
export const EXACT_UP_TO = 10_000;
/** About how many of the newest messages a list looks at. */
export const SEARCHED = 10_000;
export const NONE = "–";

export function count(n, isExact = n <= EXACT_UP_TO) {
  if (n === null || n === undefined) {
    return NONE;
  }
  return isExact ? WHOLE.format(n) : `about ${ROUNDED.format(n)}`;
}

export function whole(n) {
  return n === null || n === undefined ? NONE : WHOLE.format(n);
}

export function plural(n, one, many = `${one}s`) {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export function rate(perSecond) {
  if (perSecond === null || perSecond === undefined) {
    return NONE;
  }
  return perSecond >= 100 ? WHOLE.format(Math.round(perSecond)) : ONE_DIGIT.format(perSecond);
}

export function percent(ratio) {
  if (ratio === null || ratio === undefined) {
    return NONE;
  }
  const value = ratio * 100;
  return value > 0 && value < 0.1 ? "< 0.1 %" : `${ONE_DIGIT.format(value)} %`;
}

export function bytes(n) {
  if (n === null || n === undefined) {
    return NONE;
  }
  const units = ["B", "KB", "MB", "GB", "TB"];
  let value = n;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value >= 100 ? WHOLE.format(Math.round(value)) : ONE_DIGIT.format(value)} ${units[unit]}`;
}

export function millis(n) {
  if (n === null || n === undefined) {
    return NONE;
  }
  if (n < 1000) {
    return `${n < 10 ? ONE_DIGIT.format(n) : Math.round(n)} ms`;
  }
  return duration(n / 1000);
}

/** In at most two units: 12 s, 3 min 20 s, 2 h 5 min, 3 d 4 h. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) {
    return NONE;
  }
  const s = Math.max(0, seconds);
  if (s < 10 && s !== Math.round(s)) {
    return `${ONE_DIGIT.format(s)} s`;
  }
  const units = [
    ["d", 86_400],
    ["h", 3_600],
    ["min", 60],
    ["s", 1],
  ];
  let rest = Math.round(s);
  const first = units.findIndex(([, size]) => rest >= size);
  if (first < 0) {
    return "0 s";
  }
  const parts = [];
  for (const [unit, size] of units.slice(first, first + 2)) {
    const n = Math.floor(rest / size);
    rest -= n * size;
    if (n > 0) {
      parts.push(`${n} ${unit}`);
    }
  }
  return parts.join(" ");
}

export function timeOfDay(millisSinceEpoch, withSeconds = true) {
  return (withSeconds ? TIME : SHORT_TIME).format(millisSinceEpoch);
}

/** In the reader's time zone; the day only when it is not today. */
export function instant(iso, today = new Date()) {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) {
    return NONE;
  }
  if (at.toDateString() === today.toDateString()) {
    return TIME.format(at);
  }
  const day = at.getFullYear() === today.getFullYear() ? DAY : DAY_AND_YEAR;
  return `${day.format(at)}, ${TIME.format(at)}`;
}

export function utc(iso) {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? NONE : at.toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC");
}

// Control characters, and those that turn the writing direction or take no room: a key that contains one would otherwise look
// like another, or turn the text around it.
const DECEPTIVE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** The text with what cannot be seen made visible: ‹U+202E›. */
export function visible(text) {
  return String(text).replace(DECEPTIVE, (c) => `‹U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}›`);
}

export function cut(text, most) {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** HANDLER_EXCEPTION → Handler exception. */
export function reasonName(reason) {
  if (!reason) {
    return NONE;
  }
  const words = visible(reason).toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
