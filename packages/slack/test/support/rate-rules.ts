// How often Slack may be called. Whoever is quicker than this is told so, also where Slack would have let it pass.
import { type Thing, textOf } from './values.ts';

interface RateRule {
  readonly method: string;
  /** What is counted on its own: a message, a channel, a stream. */
  readonly by: (args: Thing) => string;
  readonly times: number;
  readonly withinMs: number;
}

/** A little less than Slack's windows: what leaves on time may come closer together. */
const RATES: readonly RateRule[] = [
  { method: 'chat.update', by: byMessage, times: 1, withinMs: 900 },
  { method: 'chat.postMessage', by: ({ channel }) => textOf(channel), times: 5, withinMs: 950 },
  { method: 'chat.appendStream', by: byMessage, times: 100, withinMs: 60_000 },
];

/** Calls that were under way when Slack asked for patience. */
const GRACE_MS = 100;

export class RateWatch {
  readonly #seen = new Map<string, number[]>();
  readonly #patience = new Map<string, { since: number; until: number }>();

  /** Gives what is wrong with this call now. */
  note(method: string, args: Thing): string | undefined {
    const now = Date.now();
    const patience = this.#patience.get(method);
    if (patience !== undefined && now > patience.since + GRACE_MS && now < patience.until)
      return `${method}: called ${patience.until - now} ms before Retry-After was over.`;
    for (const rule of RATES.filter((each) => each.method === method)) {
      const key = `${method} ${rule.by(args)}`;
      const times = (this.#seen.get(key) ?? []).filter((at) => at > now - rule.withinMs);
      times.push(now);
      this.#seen.set(key, times);
      if (times.length > rule.times)
        return `${method}: ${times.length} calls within ${rule.withinMs} ms, of ${rule.times}.`;
    }
    return undefined;
  }

  askForPatience(method: string, retryAfterS: number): void {
    const now = Date.now();
    this.#patience.set(method, { since: now, until: now + retryAfterS * 1000 - 20 });
  }
}

function byMessage({ channel, ts }: Thing): string {
  return `${textOf(channel)}/${textOf(ts)}`;
}
