// Slack's Web API as the stand-in answers it: who calls is checked, then what is sent, then it is done.
import { setImmediate } from 'node:timers/promises';
import { checkPayload } from './check-payload.ts';
import type { Files } from './files.ts';
import { chatMethods, type Method, streamMethods } from './methods-chat.ts';
import { lookupMethods } from './methods-lookup.ts';
import { RateWatch } from './rate-rules.ts';
import { isThing, type Thing } from './values.ts';
import type { Views } from './views.ts';
import { Refusal, type Workspace } from './workspace.ts';

/** What was asked, in order; `error` is Slack's word where it refused. */
export interface Call {
  readonly method: string;
  readonly args: Thing;
  readonly at: number;
  error?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly body: Thing;
  readonly headers?: Record<string, string>;
  /** It was done, and who asked does not hear of it: the line is cut, or nothing comes. */
  readonly lost?: 'cut' | 'silent';
}

export interface Tokens {
  readonly botToken: string;
  readonly appToken: string;
}

export interface WebApiOptions extends Tokens {
  readonly workspace: Workspace;
  readonly views: Views;
  readonly files: Files;
  readonly streaming: boolean;
  readonly socketUrl: () => string;
}

type Plan =
  | { readonly limit: number }
  | { readonly fail: string | number }
  | { readonly held: Promise<void> }
  | { readonly lost: 'cut' | 'silent' };

export class WebApi {
  readonly calls: Call[] = [];
  readonly faults: string[] = [];
  /** Ids that may be mentioned. */
  readonly allowed = new Set<string>();
  readonly #options: WebApiOptions;
  readonly #methods: Record<string, Method>;
  readonly #plans = new Map<string, Plan[]>();
  readonly #rates = new RateWatch();

  constructor(options: WebApiOptions) {
    const { views, files } = options;
    this.#options = options;
    this.#methods = {
      ...lookupMethods,
      ...chatMethods,
      ...(options.streaming ? streamMethods : {}),
      'apps.connections.open': () => ({ url: options.socketUrl() }),
      'views.open': (_, args) => views.open(args),
      'views.push': (_, args) => views.open(args),
      'views.update': (_, args) => views.update(args),
      'files.info': (_, args) => files.info(args),
      'files.getUploadURLExternal': (_, args) => files.askForUrl(args),
      'files.completeUploadExternal': (_, args) => files.complete(args),
    };
  }

  plan(method: string, plan: Plan, times = 1): void {
    const plans = this.#plans.get(method) ?? [];
    this.#plans.set(method, [...plans, ...Array.from({ length: times }, () => plan)]);
  }

  async answer(method: string, args: Thing, authorization: string | undefined): Promise<Answer> {
    const call: Call = { method, args, at: Date.now() };
    this.calls.push(call);
    const early = this.#rates.note(method, args);
    if (early !== undefined) this.faults.push(early);
    const plan = this.#plans.get(method)?.shift();
    if (plan !== undefined && 'limit' in plan) return this.#limit(call, plan.limit);
    if (plan !== undefined && 'held' in plan) await plan.held;
    // Slack answers later than it was asked.
    await setImmediate();
    try {
      if (plan !== undefined && 'fail' in plan) {
        if (typeof plan.fail === 'number') return fail(call, plan.fail);
        throw new Refusal(plan.fail);
      }
      const lost = plan !== undefined && 'lost' in plan ? { lost: plan.lost } : {};
      return { status: 200, body: { ok: true, ...this.#perform(call, authorization) }, ...lost };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      call.error = error.word;
      return { status: 200, body: { ok: false, error: error.word, ...error.details } };
    }
  }

  /** Notes every breach; gives the word of the first that Slack refuses. */
  check(kind: string, payload: Thing): string | undefined {
    const breaches = checkPayload(kind, payload, this.allowed);
    this.faults.push(...breaches.map(({ sentence }) => sentence));
    return breaches.find(({ word }) => word !== undefined)?.word;
  }

  #perform({ method, args }: Call, authorization: string | undefined): Thing {
    const perform = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    if (perform === undefined) throw new Refusal('unknown_method', { req_method: method });
    this.#checkToken(method, authorization?.replace(/^Bearer /, ''));
    const word = this.check(method, args);
    if (word !== undefined) throw new Refusal(word);
    return perform(this.#options.workspace, args);
  }

  #checkToken(method: string, token: string | undefined): void {
    const { botToken, appToken } = this.#options;
    if (token === undefined || token === '') throw new Refusal('not_authed');
    if (token !== botToken && token !== appToken) throw new Refusal('invalid_auth');
    if ((method === 'apps.connections.open') !== (token === appToken)) throw new Refusal('not_allowed_token_type');
  }

  #limit(call: Call, retryAfterS: number): Answer {
    call.error = 'ratelimited';
    this.#rates.askForPatience(call.method, retryAfterS);
    return { status: 429, headers: { 'retry-after': String(retryAfterS) }, body: { ok: false, error: 'ratelimited' } };
  }
}

function fail(call: Call, status: number): Answer {
  call.error = String(status);
  return { status, body: {} };
}

const STRUCTURED = ['blocks', 'attachments', 'view', 'metadata', 'files', 'chunks'];
const FLAGS = ['unfurl_links', 'unfurl_media', 'reply_broadcast', 'inclusive', 'mrkdwn', 'include_locale', 'return_im'];

/** Values are texts on the wire: lists and objects are JSON, flags are words. */
export function readArguments(body: string, contentType: string): Thing {
  if (contentType.startsWith('application/json')) {
    const value: unknown = JSON.parse(body);
    return isThing(value) ? value : {};
  }
  return Object.fromEntries(
    [...new URLSearchParams(body)]
      .filter(([key]) => key !== 'token')
      .map(([key, value]) => [
        key,
        STRUCTURED.includes(key) ? readJson(value) : FLAGS.includes(key) ? value === 'true' : value,
      ]),
  );
}

function readJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
