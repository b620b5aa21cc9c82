// State lives in plain objects. Whoever changes some calls draw(), and the whole page is described anew, once, however
// many changes came together. lit-html touches only what differs, so focus, scroll and open dialogs stay as they are.
let paint = () => {};
let asked = false;

export function paintWith(callback) {
  paint = callback;
  draw();
}

export function draw() {
  if (asked) {
    return;
  }
  asked = true;
  queueMicrotask(() => {
    asked = false;
    paint();
  });
}
