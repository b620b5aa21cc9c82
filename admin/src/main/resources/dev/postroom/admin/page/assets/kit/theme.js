// Follows the system until somebody chooses.
import { draw } from "./draw.js";

const KEY = "postroom.theme";
const system = window.matchMedia("(prefers-color-scheme: dark)");
system.addEventListener("change", announce);

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

export function toggleTheme() {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Remembered for this page only.
  }
  announce();
}

function announce() {
  window.dispatchEvent(new Event("postroom-theme"));
  draw();
}
