// Values that no fact, hint, error or report of a tree may show, and how they are struck out.

import { type EnvOverlay, isSecretName } from './env.ts';
import { AgentError, catalogue, type ErrorCode, isAgentError, isCancellation, messageOf } from './errors.ts';
import type { AgentEvent } from './events.ts';
import { hasShape, nextShape, openShape, type Span, strikeShapes } from './key-shapes.ts';
import { type Striker, strikeOut, struck } from './strike.ts';
import { StruckStream } from './struck-stream.ts';

/** Shorter values hide nothing, and would strike out half of every sentence. */
const shortest = 8;

export class Secrets {
  /** Every form in which a value may turn up, longest first. */
  #forms: readonly string[] = [];
  /** Names that happen to have a value in them. */
  #spared: Set<string> | undefined;
  readonly #known: Striker = {
    finds: (text) => this.#isKnownIn(text),
    strike: (text) => this.#strikeKnown(text),
  };
  readonly #all: Striker = {
    finds: (text) => this.#isKnownIn(text) || hasShape(text),
    strike: (text) => strikeShapes(this.#strikeKnown(text), struck),
  };

  /** From now on the value is struck out wherever it would be shown. */
  hide(value: string): void {
    const secret = value.trim();
    // Ours are the words that a run is made of: whoever has one of them for a secret has none.
    if (secret.length < shortest || this.#forms.includes(secret) || ownWords.includes(secret)) return;
    const added = formsOf(secret).filter((form) => !this.#forms.includes(form));
    this.#forms = [...this.#forms, ...added].sort((a, b) => b.length - a.length);
    // What follows the scheme of a header is the secret itself.
    const bare = /^(?:Bearer|Basic|Token)\s+(\S.*)$/is.exec(secret)?.[1];
    if (bare) this.hide(bare);
  }

  /** The variables that are named like secrets. What else must not be shown, whoever uses it has to say. */
  hideOf(env: EnvOverlay): void {
    for (const name in env) if (isSecretName(name)) this.hide(env[name] ?? '');
  }

  /** A tool or an agent of this name must still be found by it, whatever the value of a variable is. */
  spare(name: string): void {
    if (!this.#isKnownIn(name)) return;
    this.#spared ??= new Set();
    this.#spared.add(name);
  }

  /** For whoever looks on: without known values, and without whatever has the shape of a key. */
  show<T>(value: T): T {
    return strikeOut(value, this.#all);
  }

  /** The same of an event. What we named and counted ourselves is not looked at. */
  showEvent<E extends AgentEvent>(event: E): E {
    let shown: Record<string, unknown> | undefined;
    for (const key in event) {
      if (ownFields.has(key)) continue;
      const value = event[key];
      const clean = this.show(value);
      if (clean === value) continue;
      shown ??= { ...event };
      shown[key] = clean;
    }
    return (shown as E | undefined) ?? event;
  }

  /**
   * For what is recorded, kept and told to models: without known values alone. A key that a person gave to a model is
   * the model's to work with. A replay takes what was recorded, and so needs to know none of what models were opened with.
   */
  keep<T>(value: T): T {
    return this.#forms.length === 0 ? value : strikeOut(value, this.#known);
  }

  /** The same of something thrown. Its cause would tell what it does not. */
  keepError(error: unknown, fallback: ErrorCode): unknown {
    return this.#forms.length === 0 || isCancellation(error) ? error : withoutSecrets(error, fallback, this.#known);
  }

  /** An error for whoever looks on. */
  showError(error: unknown): unknown {
    return withoutSecrets(error, 'internal', this.#all);
  }

  /** For a text in pieces: together they are what `show` makes of the whole. */
  stream(): { push(text: string): string; end(): string } {
    const known = new StruckStream({
      next: (text, from) => this.#nextKnown(text, from),
      open: (text, from) => this.#openKnown(text, from),
    });
    const shapes = new StruckStream({ next: nextShape, open: openShape });
    return {
      push: (text) => shapes.push(this.#forms.length === 0 ? text : known.push(text)),
      end: () => shapes.push(known.end()) + shapes.end(),
    };
  }

  #isKnownIn(text: string): boolean {
    for (const form of this.#forms) if (text.includes(form)) return this.#spared?.has(text) !== true;
    return false;
  }

  #strikeKnown(text: string): string {
    if (this.#spared?.has(text)) return text;
    let [at, clean] = [0, ''];
    for (let found = this.#nextKnown(text, 0); found; found = this.#nextKnown(text, at)) {
      clean += text.slice(at, found.start) + struck;
      at = found.end;
    }
    return at === 0 ? text : clean + text.slice(at);
  }

  /** The first; of those that begin at the same place the longest. */
  #nextKnown(text: string, from: number): Span | undefined {
    let first: Span | undefined;
    for (const form of this.#forms) {
      const start = text.indexOf(form, from);
      if (start >= 0 && (!first || start < first.start)) first = { start, end: start + form.length };
    }
    return first;
  }

  #openKnown(text: string, from: number): number {
    const longest = this.#forms[0]?.length ?? 0;
    for (let at = Math.max(from, text.length - longest + 1); at < text.length; at++)
      for (const form of this.#forms) if (isBegun(form, text, at)) return at;
    return text.length;
  }
}

/** Whether the end of the text is the beginning of the form, and not all of it. */
function isBegun(form: string, text: string, at: number): boolean {
  if (form.charCodeAt(0) !== text.charCodeAt(at)) return false;
  return text.length - at < form.length && form.startsWith(text.slice(at));
}

/** As it is, as it stands in JSON, in JSON within JSON, and in an address. */
function formsOf(secret: string): readonly string[] {
  const json = inJson(secret);
  return [...new Set([secret, json, inJson(json), inAddress(secret)])];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inAddress(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

function withoutSecrets(error: unknown, fallback: ErrorCode, striker: Striker): unknown {
  const known = isAgentError(error) ? error : undefined;
  const message = known?.message ?? messageOf(error);
  const remedy = known?.remedy ?? '';
  if (!striker.finds(message) && !striker.finds(remedy)) return error;
  const { class: itsClass, retryable, status, retryAfterMs, limit } = known ?? {};
  const fields = Object.entries({ class: itsClass, retryable, status, retryAfterMs, limit });
  const given = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  const said = remedy === '' ? {} : { remedy: striker.strike(remedy) };
  return new AgentError(known?.code ?? fallback, striker.strike(message), { ...given, ...said });
}

/** Fields of events that nobody outside fills; tool names and call ids were cleared when the reply was read. */
const ownFields: ReadonlySet<string> = new Set(
  [
    'type kind seq at op trace depth callerOp turn index limit attempt usage'.split(' '),
    'startedAt endedAt bytesIn bytesOut label namespace instance tools isOk'.split(' '),
  ].flat(),
);

const ownWords = [
  ...Object.entries(catalogue).flatMap(([code, { class: its }]) => [code, its]),
  'assistant reasoning tool-call tool-result tool-calls content-filter completed partial cancelled needs_user_input',
  'question approval finishReason inputTokens outputTokens markdown session-start session-end',
].join(' ');
