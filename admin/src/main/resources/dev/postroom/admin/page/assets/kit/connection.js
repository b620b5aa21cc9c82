// Whether the server answers. What is on the screen stays there when it does not, marked as old.
import { draw } from "./draw.js";

export const connection = { lost: null, since: null, lastAnswer: null };

export function answered() {
  const changed = connection.lost !== null;
  connection.lost = null;
  connection.since = null;
  connection.lastAnswer = Date.now();
  if (changed) {
    draw();
  }
}

export function silent(error) {
  if (connection.lost === null) {
    connection.since = Date.now();
  }
  connection.lost = error;
  draw();
}
