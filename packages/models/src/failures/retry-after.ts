// How long a provider asks us to wait, from the headers of its answer.

/** Nobody waits longer than this for one answer. */
const longestMs = 60 * 60 * 1000;

/** From nothing to an hour. A date is only understood when `now`, in milliseconds since 1970, is given. */
export function retryAfterMs(
  headers: Readonly<Record<string, string>> | undefined,
  now: number | undefined,
): number | undefined {
  const waitMs = readWait(headers, now);
  return waitMs === undefined ? undefined : Math.min(Math.max(0, Math.round(waitMs)), longestMs);
}

function readWait(headers: Readonly<Record<string, string>> | undefined, now: number | undefined): number | undefined {
  const precise = headers?.['retry-after-ms'];
  if (precise && isNumber(precise)) return Number(precise);
  const value = headers?.['retry-after']?.trim();
  if (!value) return readReset(headers, now);
  if (isNumber(value)) return Number(value) * 1000;
  const date = parseHttpDate(value);
  return date === undefined || now === undefined ? undefined : date - now;
}

/** When there will be requests to spend again, after the last one is spent: seconds or milliseconds since 1970. */
function readReset(headers: Readonly<Record<string, string>> | undefined, now: number | undefined): number | undefined {
  const reset = headers?.['x-ratelimit-reset'] ?? '';
  if (headers?.['x-ratelimit-remaining']?.trim() !== '0' || !isNumber(reset) || now === undefined) return undefined;
  const moment = Number(reset);
  if (moment < 1e9) return undefined;
  return (moment < 1e11 ? moment * 1000 : moment) - now;
}

function isNumber(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text.trim());
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The one form servers must send: `Sun, 06 Nov 1994 08:49:37 GMT`. Time comes in as an argument here, never from Date. */
export function parseHttpDate(text: string): number | undefined {
  const found = /^\w{3}, (\d{2}) (\w{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/.exec(text);
  const month = months.indexOf(found?.[2] ?? '') + 1;
  if (!found || month === 0) return undefined;
  const [day = 0, year = 0, hours = 0, minutes = 0, seconds = 0] = [1, 3, 4, 5, 6].map((i) => Number(found[i]));
  return (((daysSince1970(year, month, day) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

/** Counts years from March, so that the leap day is the last of its year. */
function daysSince1970(year: number, month: number, day: number): number {
  const years = month > 2 ? year : year - 1;
  const monthsSinceMarch = (month + 9) % 12;
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return years * 365 + leapDays + Math.floor((monthsSinceMarch * 153 + 2) / 5) + day - 1 - 719468;
}
