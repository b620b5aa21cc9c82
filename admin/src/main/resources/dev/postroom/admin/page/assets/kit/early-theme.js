// Runs before the first paint, so that a dark room is not lit up by a white page. A classic script: modules come later.
try {
  const chosen = localStorage.getItem("postroom.theme");
  if (chosen === "light" || chosen === "dark") {
    document.documentElement.dataset.theme = chosen;
  }
} catch {
  // Storage may be forbidden; then the system decides.
}
