// Our server, as the page asks it. The key lives here, in memory, and is gone with the page.

import { durationOf } from '../app/time.ts';
import type { AgentEntry, Failure, SessionPage, Standing } from './documents.ts';

/** What went wrong with a request, in words that were made for people. */
export class RequestFailed extends Error {
  readonly status: number;
  readonly failure: Failure;

  constructor(status: number, failure: Failure) {
    super(failure.message);
    this.status = status;
    this.failure = failure;
  }
}

export interface Start {
  readonly agent?: string;
  readonly session?: string;
  readonly input?: unknown;
  readonly budget?: Readonly<Record<string, number>>;
  readonly attachments?: readonly Attachment[];
  readonly retry?: { readonly session: string; readonly round?: number; readonly turn?: number };
}

export interface Attachment {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
  readonly name?: string;
}

const patienceMs = 30_000;

export class Api {
  readonly #base: URL;
  readonly #headers: Readonly<Record<string, string>>;
  #key: string | undefined;
  /** Told when the server does not let us in, or not any more. */
  onLocked: () => void = () => {};

  /** Addresses are below `base`, wherever a proxy has put it. */
  constructor(
    base: URL,
    { key, headers = {} }: { readonly key?: string; readonly headers?: Record<string, string> } = {},
  ) {
    this.#base = base;
    this.#headers = headers;
    this.#key = key;
  }

  get hasKey(): boolean {
    return this.#key !== undefined;
  }

  takeKey(key: string | undefined): void {
    this.#key = key;
  }

  async agents(): Promise<readonly AgentEntry[]> {
    const { agents } = await this.#json<{ agents: readonly AgentEntry[] }>('v1');
    return agents;
  }

  async template(agent: string): Promise<string> {
    return (await this.ask(`v1/${encodeURIComponent(agent)}/template`)).text();
  }

  async sessions(query: Readonly<Record<string, string>> = {}): Promise<SessionPage> {
    return this.#json<SessionPage>(`v1/sessions?${new URLSearchParams(query)}`);
  }

  async standing(id: string): Promise<Standing> {
    return this.#json<Standing>(pathOf(id, '?brief=true'));
  }

  /** Everything that is known of it, to be kept in a file. */
  async whole(id: string): Promise<string> {
    return (await this.ask(pathOf(id))).text();
  }

  async fact(id: string, number: number): Promise<unknown> {
    return this.#json(pathOf(id, `/facts/${number}`));
  }

  async start(start: Start): Promise<Standing> {
    if (start.attachments && !start.retry && start.input === '') throw new RequestFailed(400, wordless);
    checkAmounts(start.budget);
    return this.#post('v1/sessions', start);
  }

  /** As a limit: it wraps up. With `below`, that one alone. */
  async stop(id: string, below?: string): Promise<Standing> {
    return this.#post(pathOf(id, '/stop'), below === undefined ? undefined : { session: below });
  }

  /** At once. It may be the last thing that a page does. */
  async cancel(id: string): Promise<Standing> {
    return this.#post(pathOf(id, '/cancel'), undefined, { keepalive: true });
  }

  async raise(id: string, budget: Readonly<Record<string, number>>): Promise<Standing> {
    checkAmounts(budget);
    return this.#post(pathOf(id, '/budget'), budget);
  }

  async answer(id: string, answer: unknown): Promise<Standing> {
    return this.#post(pathOf(id, '/answer'), { answer, wait: false });
  }

  async remove(id: string): Promise<void> {
    await this.ask(pathOf(id), { method: 'DELETE' });
  }

  /** Throws `RequestFailed`, and something else where nobody answers. */
  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers({ ...this.#headers, ...(init.headers as Record<string, string> | undefined) });
    const key = this.#key;
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
    const response = await fetch(new URL(path, this.#base), {
      ...init,
      headers,
      credentials: 'omit',
      cache: 'no-store',
    });
    // Another key may have been taken since.
    if (response.status === 401 && key === this.#key) this.onLocked();
    if (!response.ok) throw new RequestFailed(response.status, await failureIn(response));
    return response;
  }

  /** One that takes the question and never answers is not there either. */
  async #json<T>(path: string): Promise<T> {
    return (await (await this.ask(path, { signal: AbortSignal.timeout(patienceMs) })).json()) as T;
  }

  async #post(path: string, body: unknown, init: RequestInit = {}): Promise<Standing> {
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await this.ask(path, { method: 'POST', ...sent, ...init });
    return (await response.json()) as Standing;
  }
}

/** As the server would say it, in words for whoever has chosen the file. */
const wordless: Failure = {
  class: 'usage',
  code: 'request-invalid',
  message: 'A file alone does not say what you ask.',
  remedy: 'Write what should be done with it, and send both.',
};

/** What is no amount would be none in JSON, and nothing would be bounded. Throws `RequestFailed`. */
function checkAmounts(budget: Start['budget'] = {}): void {
  if (Object.values(budget).some(Number.isNaN)) throw new RequestFailed(400, noAmount);
}

const noAmount: Failure = {
  class: 'usage',
  code: 'request-invalid',
  message: 'One of the limits is not an amount.',
  remedy: 'Mend it or leave it empty. What you wrote is still here.',
};

/** Below a session. An address that somebody was sent may name anything: it leads nowhere else. */
export function pathOf(id: string, below = ''): string {
  return `v1/sessions/${encodeURIComponent(id)}${below}`;
}

/** A proxy in between may say it in its own way. */
async function failureIn(response: Response): Promise<Failure> {
  try {
    const { error } = (await response.json()) as { error: Failure };
    if (typeof error.message === 'string') return { ...error, ...waitIn(response) };
  } catch {}
  return {
    class: 'network',
    code: `http-${response.status}`,
    message: `The server answered with status ${response.status}.`,
    remedy: 'Try again in a moment.',
  };
}

/** How long to wait is in a header, which nobody sees who looks at a page. */
function waitIn({ headers }: Response): Pick<Failure, 'remedy' | 'retryAfterMs'> {
  const retryAfterMs = 1_000 * Number(headers.get('retry-after'));
  return retryAfterMs > 0 ? { retryAfterMs, remedy: waitWords(retryAfterMs) } : {};
}

export function waitWords(retryAfterMs: number): string {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const words = seconds > 90 ? durationOf(seconds * 1_000) : seconds === 1 ? '1 second' : `${seconds} seconds`;
  return `Try again in ${words}.`;
}
