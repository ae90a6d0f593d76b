// Whole answers of agents, given again while they are fresh: to the same question under the same circumstances, and no other.

import { type Agent, levelsOf, settingsOf, sharesWorkspace, toModelRefs } from './agent.ts';
import { cacheTimeoutMs } from './defaults.ts';
import type { Ending } from './ending.ts';
import type { EnvOverlay } from './env.ts';
import { AgentError } from './errors.ts';
import type { Fact } from './events.ts';
import { incompleteIn } from './folds/incomplete.ts';
import { inTime } from './in-time.ts';
import { isObject, type Json, toJson, toSortedJson } from './json.ts';
import type { Message } from './message.ts';
import type { ModelRef } from './model.ts';
import type { CachedResponse, Opened } from './operation.ts';
import { type Partner, partnersOf } from './partners.ts';
import { type Place, selfAndAncestors } from './place.ts';
import type { Run } from './run.ts';
import { problemsOf } from './schema.ts';
import type { Setting } from './setting.ts';
import type { SessionState } from './state.ts';
import { nonceOf } from './text.ts';
import { defaultTexts } from './texts.ts';
import type { ToolOffer } from './tool.ts';

/** What a session without a version has to open first, because its answer depends on it. */
type Basis = Pick<Opened, 'system' | 'tools'>;

/** The earlier answer, when there is one that is fresh. A cache that fails, or does not answer, costs no more than that. */
export async function findResponse(
  parts: Setting & { readonly run: Run },
  messages: readonly Message[] | undefined,
  basis?: Basis,
): Promise<CachedResponse | undefined> {
  const { agent, run, result } = parts;
  if (!agent.cache || !messages || !isForCache(parts) || isBasisNeeded(parts) === !basis) return undefined;
  const found = await read(run, () => toKey(parts, messages, basis));
  const kept = found === undefined ? undefined : parse(found);
  const ageMs = kept ? run.ports.clock.now() - kept.at : 0;
  // An answer from the future has an unknown age: the wall clock was set back.
  if (!kept || ageMs < -clockSkewMs || ageMs >= agent.cache.ttlMs) return undefined;
  const { report } = kept.response;
  // Whoever else writes there: what leaves a session keeps its contract.
  if (result.format === 'json' && (report === undefined || problemsOf(result.schema, report).length > 0))
    return undefined;
  return run.secrets.keep(kept.response);
}

/** The clocks of two runs may differ a little: each continues from the wall clock at its start. */
const clockSkewMs = 1_000;

/**
 * Keeps what completed by itself. Told again on every replay: the time runs from when the answer was given, and not from when
 * it was told. Nobody waits for it.
 */
export function keepResponse(run: Run, state: SessionState, { ending, messages }: Answered): void {
  const { agent, opened, facts, place, request } = state.parts;
  // What is gone on with from the middle is no question of anybody.
  if (request.isAdvised) return;
  if (!agent.cache || ending.status !== 'completed' || ending.isCached) return;
  if (opened.resumed || !isForCache(state.parts) || run.records.factsOf(place.id).some(isForThisOnce)) return;
  // Work that is missing now may not be missing the next time. An open question counts once its caller has ended.
  const node = run.records.tree.session(place.id);
  if (node && incompleteIn({ ...node, status: 'completed' }).length > 0) return;
  const { status: _status, ...response } = ending;
  const value = JSON.stringify({ at: facts.now, response });
  // What looks like a key is shown to nobody, and so it is not left lying about either.
  if (run.secrets.show(value) !== value) return;
  const { cache, clock } = run.ports;
  const leftMs = facts.now + agent.cache.ttlMs - clock.now();
  if (leftMs <= 0) return;
  const basis = isBasisNeeded(state.parts) ? opened : undefined;
  const put = async () => {
    const key = toKey(state.parts, messages, basis);
    if (key !== undefined) await cache.put(key, value, leftMs);
  };
  put().catch(() => {});
}

interface Answered {
  readonly ending: Ending;
  /** What it was asked, and all that was said before. */
  readonly messages: readonly Message[];
}

/** What is shared with other agents of a run is not in any question, also where only somebody below looks at it. */
function isForCache({ agent, moreTools }: Setting): boolean {
  return !sharesWorkspace(agent, moreTools);
}

/** A version says all that the agent is; what this one session has beside it has to be looked at. */
function isBasisNeeded({ agent, moreTools, moreInstructions }: Setting): boolean {
  return agent.cache?.version === undefined || moreTools.length > 0 || moreInstructions !== '';
}

/** A person was asked, or an advisor was not heard to the end: another time it may be otherwise. */
function isForThisOnce(fact: Fact): boolean {
  if (fact.type !== 'tool-end') return fact.type === 'question-start';
  return fact.result.wasAsked === true;
}

/** The whole of it, no hash: two questions must never be taken for one. Nothing when nobody can tell what it depends on. */
function toKey(setting: Setting, messages: readonly Message[], basis: Basis | undefined): string | undefined {
  const { agent, place, env, texts, middleware, moreTools } = setting;
  const own = agent.cache?.version === undefined ? offersOf(agent) : [];
  const below = [...own, ...moreTools].map(dependencyOf);
  if (below.includes(undefined)) return undefined;
  const key = toSortedJson(
    toJson({
      kind: 'response',
      agent: agent.name,
      version: agent.cache?.version ?? null,
      ...(basis ? { system: basis.system, tools: basis.tools } : {}),
      below,
      models: modelNames(agent),
      toolOutput: toolOutputOf(agent),
      settings: settingsOf(agent),
      limits: setting.limits,
      output: [setting.output, setting.isOutputAsked, setting.result, setting.isResultAsked],
      messages,
      env,
      rights: [agent.permissions ?? null, place.denials ?? null],
      // One that may not call its own agents answers otherwise.
      levels: Math.min(place.deepest - place.depth, levelsOf(agent)),
      texts: texts === defaultTexts ? null : Object.entries(texts).map(([name, text]) => [name, String(text)]),
      middleware: middleware.map(({ name }) => name),
    }),
  );
  return withoutNonces(key, place);
}

/** Tags around what partners are handed, and around metadata, are others in every run, and no part of the question. */
function withoutNonces(key: string, { id }: Place): string {
  // No text in the key has a quote like this one.
  return selfAndAncestors(id).reduce((rest, one) => rest.replaceAll(nonceOf(one), '"nonce"'), key);
}

/**
 * What the sessions of a sub-agent depend on beside their call: how it is defined, what it may see, and those below it.
 * Nothing when that cannot be told: two functions may look the same and know different things. A version tells all of it.
 */
export function toDependency(agent: Agent, env: EnvOverlay): string | undefined {
  const { instructions, model: _model, tools: _tools, middleware, texts, cache, ...plain } = agent;
  const below = offersOf(agent).map(dependencyOf);
  const isKnown = typeof instructions === 'string' && !below.includes(undefined);
  if (cache?.version === undefined && !isKnown) return undefined;
  const own = { ...plain, instructions, models: modelNames(agent), toolOutput: toolOutputOf(agent) };
  const said = cache?.version ?? own;
  const named = { middleware: middleware?.map(({ name }) => name) ?? null, texts: toJson(texts ?? null) };
  return toSortedJson(toJson([said, named, env, below.map((one) => one ?? null)]));
}

function offersOf(agent: Agent): readonly (ToolOffer | Partner)[] {
  return [...(agent.tools ?? []), ...partnersOf(agent).map(([, partner]) => partner)];
}

/** Null for a tool, which is known by what it says of itself; nothing for agents of which not all is known. */
function dependencyOf(offer: ToolOffer | Partner): string | null | undefined {
  return 'dependsOn' in offer && offer.dependsOn ? offer.dependsOn() : null;
}

function modelNames(agent: Agent): readonly string[] {
  return toModelRefs(agent).map(nameOf);
}

function toolOutputOf({ toolOutput }: Agent): object | null {
  return toolOutput ? { ...toolOutput, models: toolOutput.models?.map(nameOf) ?? null } : null;
}

function nameOf(ref: ModelRef): string {
  return typeof ref === 'string' ? ref : `${ref.provider}/${ref.model}`;
}

async function read(
  { ports: { cache, clock }, scope }: Run,
  toKey: () => string | undefined,
): Promise<string | undefined> {
  try {
    const key = toKey();
    const found = key === undefined ? undefined : cache.get(key);
    if (!(found instanceof Promise)) return found;
    const late = () => new AgentError('tool-timeout', 'The cache did not answer in time.');
    return await inTime({ clock, durationMs: cacheTimeoutMs, scope, late }, () => found);
  } catch {
    return undefined;
  }
}

function parse(found: string): { readonly at: number; readonly response: CachedResponse } | undefined {
  try {
    const kept = JSON.parse(found) as Json;
    if (!isObject(kept) || typeof kept.at !== 'number' || !isObject(kept.response)) return undefined;
    const { text, report, metadata } = kept.response;
    if (typeof text !== 'string') return undefined;
    // What else an entry says is not ours: an answer that is given again is completed, and nothing more.
    const more = { ...(report === undefined ? {} : { report }), ...(isObject(metadata) ? { metadata } : {}) };
    return { at: kept.at, response: { text, ...more } as CachedResponse };
  } catch {
    return undefined;
  }
}
