// How long something took: not by the clock of the day, which may be set.

export function msSince(start: [number, number]): number {
  const [seconds, nanoseconds] = process.hrtime(start);
  return seconds * 1000 + nanoseconds / 1e6;
}
