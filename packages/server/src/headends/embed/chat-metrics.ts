// Figures of all chats of a port, as Prometheus reads them.

/** Origins that are told apart: everybody may send any. */
const mostOrigins = 100;

/** One chat, while it goes on. */
export interface Measured {
  piece(): void;
  /** How it ended; with a code when it failed. */
  end(status: string, code?: string): void;
}

export class ChatMetrics {
  readonly #requests = new Map<string, number>();
  readonly #errors = new Map<string, number>();
  readonly #origins = new Set<string>();
  readonly #now: () => number;
  #active = 0;
  #pieces = 0;
  #seconds = { sum: 0, count: 0 };

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  begin(agent: string, origin: string | null): Measured {
    const from = this.#now();
    this.#active++;
    let isOver = false;
    return {
      piece: () => void this.#pieces++,
      end: (status, code) => {
        if (isOver) return;
        isOver = true;
        this.#active--;
        this.#seconds.sum += (this.#now() - from) / 1_000;
        this.#seconds.count++;
        add(this.#requests, labelsOf({ agent, origin: this.#toLabel(origin), status }));
        if (code !== undefined) this.failed(code);
      },
    };
  }

  failed(code: string): void {
    add(this.#errors, labelsOf({ code }));
  }

  toResponse(): Response {
    const { sum, count } = this.#seconds;
    const lines = [
      ...toLines('embed_requests_total', 'counter', [...this.#requests]),
      ...toLines('embed_sessions_active', 'gauge', [['', this.#active]]),
      '# TYPE embed_session_duration_seconds summary',
      `embed_session_duration_seconds_sum ${sum}`,
      `embed_session_duration_seconds_count ${count}`,
      ...toLines('embed_report_chunks_total', 'counter', [['', this.#pieces]]),
      ...toLines('embed_errors_total', 'counter', [...this.#errors]),
    ];
    const type = 'text/plain; version=0.0.4; charset=utf-8';
    return new Response(`${lines.join('\n')}\n`, { headers: { 'content-type': type, 'cache-control': 'no-store' } });
  }

  #toLabel(origin: string | null): string {
    if (origin === null) return 'none';
    if (this.#origins.size < mostOrigins) this.#origins.add(origin);
    return this.#origins.has(origin) ? origin : 'other';
  }
}

function toLines(name: string, type: string, values: readonly (readonly [labels: string, value: number])[]): string[] {
  return [`# TYPE ${name} ${type}`, ...values.map(([labels, value]) => `${name}${labels} ${value}`)];
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `{${pairs.join(',')}}`;
}

function add(counts: Map<string, number>, labels: string): void {
  counts.set(labels, (counts.get(labels) ?? 0) + 1);
}
