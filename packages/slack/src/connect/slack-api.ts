// Slack's Web API as the rest of the package calls it: one door, where limits are kept, tries are repeated and secrets are struck out.

/** What Slack answered. */
export type SlackAnswer = Readonly<Record<string, unknown>>;

export interface Patience {
  /** How long it is worth to wait for it. @default 5 minutes */
  readonly withinMs?: number;
}

export interface SlackCalls {
  /** Waits for its turn and tries again where Slack asks for patience. Throws `SlackRefusal`. */
  call(method: string, args: Readonly<Record<string, unknown>>, patience?: Patience): Promise<SlackAnswer>;
  /** What may be left out: undefined when Slack has no time for it now, or refuses it. */
  attempt(method: string, args: Readonly<Record<string, unknown>>): Promise<SlackAnswer | undefined>;
}

export interface SlackApi extends SlackCalls {
  /** What may come later: undefined when Slack has no time for it now. Throws `SlackRefusal`, also where nobody knows whether Slack has it. */
  offer(method: string, args: Readonly<Record<string, unknown>>): Promise<SlackAnswer | undefined>;
  /** A text that goes to Slack by another way, without secrets. */
  strike(text: string): string;
  /** How much of a text that goes on may be shown now: its end may be the beginning of a secret. */
  safeLength(text: string): number;
}

/** Slack says no, in its own word: `channel_not_found`. */
export class SlackRefusal extends Error {
  override readonly name = 'SlackRefusal';
  readonly method: string;
  readonly word: string;
  /** What the app would have to be allowed: `files:write`. */
  readonly scope: string | undefined;

  constructor(method: string, word: string, { scope, ...options }: ErrorOptions & { readonly scope?: string } = {}) {
    super(`Slack refused ${method}: ${word}${scope === undefined ? '' : `, ${scope} is needed`}.`, options);
    this.method = method;
    this.word = word;
    this.scope = scope;
  }
}

const outside: ReadonlySet<string> = new Set([
  'not_in_channel',
  'channel_not_found',
  'is_archived',
  'restricted_action',
]);

const unfit: ReadonlySet<string> = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_attachments',
  'too_many_attachments',
  'no_text',
  'msg_blocks_too_long',
  'msg_too_long',
]);

const passing: ReadonlySet<string> = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'rate_limited',
]);

/** What Slack says of a call in a word of its own that stays; undefined for trouble of its own, which passes, and for what is no word: a page of somebody in between. */
export function finalWordOf(said: unknown): string | undefined {
  return typeof said === 'string' && /^[\w.:-]{1,100}$/.test(said) && !passing.has(said) ? said : undefined;
}

/** Whether it is the message that is wrong, wherever it is to stand. */
export function isUnfit(error: unknown): boolean {
  return error instanceof SlackRefusal && unfit.has(error.word);
}

/** Whether Slack could not be asked: later it may. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof SlackRefusal && error.word === 'unreachable';
}

/** Whether we may not write there. */
export function isOutside(error: unknown): boolean {
  return error instanceof SlackRefusal && outside.has(error.word);
}
