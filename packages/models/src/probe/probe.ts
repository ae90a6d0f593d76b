// Asks every provider of a list of questions once, side by side, within its time.

import { AgentError, type Failure, isObject, toFailure } from '@ai-agent/core';
import { fillIn, type ProviderSettings } from '../config/provider-config.ts';
import { toProviderError } from '../failures/provider-errors.ts';
import { formsOf, strikeOut } from '../failures/secrets.ts';
import { createTransport } from '../http/http-transport.ts';
import type { Transport } from '../http/transport.ts';
import type { Endpoint } from '../providers/adapter.ts';
import { secretsIn, toEndpoint } from '../providers/endpoint.ts';
import { type Ask, type Directory, toAsk } from './directory.ts';
import { openDirectory } from './open-directory.ts';
import type { ModelQuestion, ProbedModel, ProbeOptions } from './question.ts';
import { isNoAnswer, isNotThere, missing, withoutList } from './verdicts.ts';

export async function probe(
  questions: readonly ModelQuestion[],
  { timeoutMs = 10_000, transport, now }: ProbeOptions,
): Promise<readonly ProbedModel[]> {
  const connections = transport ?? createTransport();
  const visits = new Map<string, Visit>();
  try {
    return await Promise.all(
      questions.map(async (question) => {
        try {
          const target = toTarget(question, connections);
          const visit = visits.get(target.key) ?? new Visit(target, { timeoutMs, now });
          visits.set(target.key, visit);
          return await visit.answer(question);
        } catch (error) {
          // A set-up that nobody could be asked with.
          return { status: 'failed' as const, ms: 0, failure: toFailure(error) };
        }
      }),
    );
  } finally {
    for (const visit of visits.values()) visit.end();
    if (!transport) connections.close();
  }
}

interface Target {
  readonly key: string;
  readonly type: ProviderSettings['type'];
  readonly endpoint: Endpoint;
  /** Where it is, as it may be shown. */
  readonly address: string;
  readonly secrets: readonly string[];
}

/** Questions with the same address, key and headers are about the same provider. Throws when a set-up is none. */
function toTarget({ provider, config, env }: ModelQuestion, transport: Transport): Target {
  const { settings, hidden } = fillIn(provider, config, env);
  const endpoint = toEndpoint(provider, settings, transport);
  const secrets = [...hidden, ...secretsIn(endpoint)];
  const { origin, pathname } = new URL(endpoint.baseUrl);
  const address = `${origin}${strikeOut(pathname, formsOf(secrets))}`;
  return { key: JSON.stringify([provider, settings]), type: settings.type, endpoint, address, secrets };
}

type Listed =
  | { readonly names: readonly string[] | undefined; readonly directory: Directory; readonly ask: Ask }
  | { readonly error: unknown };

/** One provider, asked once. */
class Visit {
  readonly #target: Target;
  readonly #now: (() => number) | undefined;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #startedAt = performance.now();
  readonly #listed: Promise<Listed>;

  constructor(target: Target, { timeoutMs, now }: { readonly timeoutMs: number; readonly now: ProbeOptions['now'] }) {
    this.#target = target;
    this.#now = now;
    const late = `${target.endpoint.name}: ${target.address} did not answer within ${timeoutMs / 1000} s.`;
    const remedy = 'Check the address and the connection, then try again.';
    this.#timer = setTimeout(
      () => this.#controller.abort(new AgentError('model-timeout', late, { remedy })),
      timeoutMs,
    );
    this.#listed = this.#list().catch((error: unknown) => ({ error }));
  }

  async answer(question: ModelQuestion): Promise<ProbedModel> {
    const verdict = await this.#judge(question);
    return { ...verdict, ms: Math.round(performance.now() - this.#startedAt) };
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#controller.abort();
  }

  async #list(): Promise<Listed> {
    const { type, endpoint } = this.#target;
    const directory = await openDirectory(type);
    const ask = toAsk(endpoint, directory.headers(endpoint), this.#controller.signal);
    const [names] = await Promise.all([directory.list(ask), directory.checkKey?.(ask)]);
    return { names, directory, ask };
  }

  async #judge({ provider, model }: ModelQuestion): Promise<Omit<ProbedModel, 'ms'>> {
    const listed = await this.#listed;
    const ref = `${provider}/${model}`;
    const { address, secrets } = this.#target;
    if ('error' in listed) {
      const failure = this.#toFailure(listed.error, ref);
      if (isNoAnswer(failure)) return { status: 'unknown', failure: withoutList(failure, ref, address) };
      const isPassing = failure.retryable && failure.status !== undefined && failure.status >= 400;
      return { status: isPassing ? 'unknown' : 'failed', failure };
    }
    const { names, directory, ask } = listed;
    if (!names) return { status: 'unknown', failure: withoutList(undefined, ref, address) };
    try {
      if (directory.has(names, model) || (await isDescribed(model, directory, ask))) return { status: 'ok' };
    } catch (error) {
      const failure = this.#toFailure(error, ref);
      if (!isNotThere(failure)) return { status: 'unknown', failure };
    }
    const remedy = directory.remedyFor?.(model);
    return { status: 'failed', failure: missing({ provider, model, names, remedy, struck: formsOf(secrets) }) };
  }

  #toFailure(error: unknown, model: string): Failure {
    const { signal } = this.#controller;
    const { secrets } = this.#target;
    return toFailure(toProviderError(error, { model, signal, secrets, now: this.#now?.() }));
  }
}

/** Aliases and the like are in no list, and yet they are there. Rejects with what is said instead. */
async function isDescribed(model: string, { pathOf }: Directory, ask: Ask): Promise<boolean> {
  return pathOf !== undefined && isModel(await ask(pathOf(model)));
}

/** Some servers answer everything with something. */
function isModel(answer: unknown): boolean {
  if (!isObject(answer)) return false;
  const { id, name } = isObject(answer.data) ? answer.data : answer;
  return typeof id === 'string' || typeof name === 'string';
}
