// What changed, for those who hear the page.
import { draw } from "./draw.js";

export const announcement = { text: "" };

export function announce(text) {
  announcement.text = text;
  draw();
}
