// Where the backlog is going. Pure.
const LOOK_BACK_MILLIS = 5 * 60_000;
const FEWEST_POINTS = 3;
/** Less than this is noise: a handful of messages that come and go. */
const STEADY_PER_SECOND = 0.05;

/**
 * How fast the backlog grows (negative: shrinks), in messages per second over the last minutes, by least squares, so that
 * one odd sample does not turn the arrow. Null while there is too little to say.
 */
export function growthPerSecond(points) {
  if (!points || points.length < FEWEST_POINTS) {
    return null;
  }
  const end = Date.parse(points[points.length - 1].at);
  const recent = points
    .map((p) => ({ t: (Date.parse(p.at) - end) / 1000, y: p.backlog }))
    .filter((p) => p.t >= -LOOK_BACK_MILLIS / 1000 && Number.isFinite(p.y));
  if (recent.length < FEWEST_POINTS) {
    return null;
  }
  const n = recent.length;
  const meanT = recent.reduce((sum, p) => sum + p.t, 0) / n;
  const meanY = recent.reduce((sum, p) => sum + p.y, 0) / n;
  const spread = recent.reduce((sum, p) => sum + (p.t - meanT) ** 2, 0);
  if (spread === 0) {
    return null;
  }
  return recent.reduce((sum, p) => sum + (p.t - meanT) * (p.y - meanY), 0) / spread;
}

/** What an operator wants to know: which way, how fast, and when it is over. */
export function outlook(backlog, points) {
  const growth = growthPerSecond(points);
  if (backlog === 0) {
    return { direction: "empty", growth, drainSeconds: 0 };
  }
  if (growth === null) {
    return { direction: "unknown", growth, drainSeconds: null };
  }
  if (Math.abs(growth) < Math.max(STEADY_PER_SECOND, backlog / 100_000)) {
    return { direction: "steady", growth, drainSeconds: null };
  }
  return growth > 0
    ? { direction: "grows", growth, drainSeconds: null }
    : { direction: "shrinks", growth, drainSeconds: backlog / -growth };
}
