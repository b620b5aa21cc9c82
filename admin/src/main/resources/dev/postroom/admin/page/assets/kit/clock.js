// Ages are counted on the server's clock: a laptop that is ten minutes off must not show ten minutes too much.
let offset = 0;

export function serverSaidItIs(dateHeader) {
  const told = Date.parse(dateHeader ?? "");
  if (Number.isNaN(told)) {
    return;
  }
  const difference = told - Date.now();
  // The header counts whole seconds, so that a small difference says nothing.
  offset = Math.abs(difference) > 2000 ? difference : 0;
}

export function now() {
  return Date.now() + offset;
}

export function secondsSince(instant) {
  return (now() - Date.parse(instant)) / 1000;
}
