// Times as servers write them: dates and durations, in milliseconds. Time comes in as an argument here, never from Date.

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Since 1970. The one form servers must send: `Sun, 06 Nov 1994 08:49:37 GMT`. */
export function parseHttpDate(text: string): number | undefined {
  const found = /^\w{3}, (\d{2}) (\w{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/.exec(text);
  const month = months.indexOf(found?.[2] ?? '') + 1;
  if (!found || month === 0) return undefined;
  const [day = 0, year = 0, hours = 0, minutes = 0, seconds = 0] = [1, 3, 4, 5, 6].map((i) => Number(found[i]));
  return (((daysSince1970(year, month, day) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

/** Since 1970, from RFC 3339: `2026-01-31T23:59:59.5Z`, or with an offset instead of the Z. */
export function parseTimestamp(text: string): number | undefined {
  const found =
    /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2}(?:\.\d{1,9})?)(?:[Zz]|([+-])(\d{2}):(\d{2}))$/.exec(text);
  if (!found) return undefined;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > 31 || hours > 24 || minutes > 59) return undefined;
  const aheadMinutes = (Number(found[8] ?? 0) * 60 + Number(found[9] ?? 0)) * (found[7] === '-' ? -1 : 1);
  const inMinutes = (daysSince1970(year, month, day) * 24 + hours) * 60 + minutes - aheadMinutes;
  return inMinutes * 60_000 + Math.round(seconds * 1000);
}

/** A number and its unit: `1.5s`, `20 ms`, `2 minutes`. */
const piece = String.raw`\d{1,15}(?:\.\d{1,15})?\s{0,3}(?:ms|milliseconds?|hours?|h|minutes?|min|m|seconds?|sec|s)(?![a-z])`;

/** For texts that have a duration in them. */
export const durationForm = String.raw`${piece}(?:\s{0,3}${piece})*`;

const durationAlone = new RegExp(`^${durationForm}$`, 'i');

/** `1h2m3.5s`, `6m0s`, `120ms`, `2 minutes`. */
export function parseDuration(text: string): number | undefined {
  const own = text.trim();
  if (own.length > 60 || !durationAlone.test(own)) return undefined;
  let durationMs = 0;
  for (const [, amount, unit = ''] of own.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi))
    durationMs += Number(amount) * unitMs(unit.toLowerCase());
  return durationMs;
}

function unitMs(unit: string): number {
  if (unit === 'ms' || unit.startsWith('milli')) return 1;
  if (unit.startsWith('h')) return 3_600_000;
  return unit.startsWith('m') ? 60_000 : 1_000;
}

/** Counts years from March, so that the leap day is the last of its year. */
function daysSince1970(year: number, month: number, day: number): number {
  const years = month > 2 ? year : year - 1;
  const monthsSinceMarch = (month + 9) % 12;
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return years * 365 + leapDays + Math.floor((monthsSinceMarch * 153 + 2) / 5) + day - 1 - 719468;
}
