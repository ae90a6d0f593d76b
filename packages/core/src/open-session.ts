// The first operation of a session: everything that cannot be computed again, found once and recorded.

import { type Agent, toModelRefs } from './agent.ts';
import { isBuiltIn } from './built-in.ts';
import { readClientAnswer } from './client-calls.ts';
import { AgentError, messageOf } from './errors.ts';
import type { Json, JsonSchema } from './json.ts';
import { measureTokens } from './measure-tokens.ts';
import type { Message } from './message.ts';
import type { Model, ModelRef, OutputContract } from './model.ts';
import { renderInstructions } from './open-agent.ts';
import type { Opened, OpenedModel, OpenedTool, OpenTask, Resumption } from './operation.ts';
import { hasPartners } from './partners.ts';
import type { Paused } from './pauses.ts';
import { rightsOf, withRights } from './permissions.ts';
import { joinDenials } from './place.ts';
import type { Prepared } from './prepared.ts';
import { readPrice } from './price.ts';
import { readAnswer } from './question.ts';
import { findResponse } from './response-cache.ts';
import type { Run } from './run.ts';
import type { Secrets } from './secrets.ts';
import type { Setting } from './setting.ts';
import { toSystemPrompt } from './system-prompt.ts';
import { namesStatus, offerStatus } from './task-status.ts';
import { bytesPerTokenOf, tokensOf, tokensOfContract, tokensOfTools, usualBytesPerToken } from './tokens.ts';
import type { Tool } from './tool.ts';

export interface Opening extends Setting {
  readonly run: Run;
  readonly prepared: Prepared;
  /** What the session is asked, and all that was said before. */
  readonly opening: () => readonly Message[];
}

/** What goes wrong is recorded too, and told: nothing of it is a secret of the tree. */
export async function openSession(parts: Opening, task: OpenTask): Promise<Opened> {
  try {
    return await open(parts, task);
  } catch (error) {
    throw parts.run.secrets.keepError(error, 'internal');
  }
}

async function open(parts: Opening, { input }: OpenTask): Promise<Opened> {
  const { agent, env, output, isOutputAsked, texts, prepared, run } = parts;
  // Who goes on from a question is asked nothing new; who is to do it again is not given what was answered before.
  const asked = input.resume || input.isAgain ? undefined : parts.opening();
  const found = agent.cache && (await findResponse(parts, asked));
  if (found) return { models: [], system: '', tools: [], promptTokens: 0, isAttended: run.isAttended, cached: found };
  const [{ tools, opened: listed }, made] = await Promise.all([prepared.tools(), openModels(parts)]);
  const paused = input.resume ? await findPaused(parts, input.resume) : undefined;
  const rights = paused?.denials
    ? rightsOf(agent.permissions, joinDenials(parts.place.denials, paused.denials))
    : parts.rights;
  const all = withRights(listed, rights, (tool) => standingOf(tool, tools.get(tool.name)));
  const { opened: permitted, partners } = hasPartners(agent) ? apart(all) : { opened: all };
  const instructions = renderInstructions(agent, { now: run.ports.clock.now(), env, output });
  const opened = offerStatus(permitted, agent.progress ?? namesStatus(instructions));
  // A contract the caller asked for is not the agent's own: it is told after the first answer.
  const contract = isOutputAsked ? { format: 'text' as const } : output;
  const system = toSystemPrompt(
    {
      instructions,
      tools: all === listed ? [...tools.values()] : promptedTools(tools, all),
      output: contract,
      hints: agent.hints,
      plugins: agent.plugins,
      place: parts.place,
      router: agent.router,
      more: parts.moreInstructions,
    },
    texts,
  );
  const { models, promptTokens } = withMeasures(made, { system, tools: opened, output: contract });
  // Last of all: an answer is taken only by a session that can go on.
  const resumed = input.resume && paused ? { resumed: await goOn(parts, input.resume, paused) } : {};
  const said = {
    system: run.secrets.keep(system),
    tools: withoutSecrets(opened, run),
    ...(partners ? { partners } : {}),
  };
  const cached = agent.cache && (await findResponse(parts, asked, said));
  return { models, ...said, promptTokens, isAttended: run.isAttended, ...resumed, ...(cached ? { cached } : {}) };
}

// Sessions of one agent share their list of tools, and so they share both halves of it.
const halves = new WeakMap<readonly OpenedTool[], Halves>();

interface Halves {
  readonly opened: readonly OpenedTool[];
  readonly partners?: readonly OpenedTool[];
}

/** What steps call is no model's to call. */
function apart(all: readonly OpenedTool[]): Halves {
  const known = halves.get(all) ?? {
    opened: Object.freeze(all.filter(({ partner }) => !partner)),
    partners: Object.freeze(all.filter(({ partner }) => partner)),
  };
  halves.set(all, known);
  return known;
}

/** The tools of agents have safe names from the start, and their labels whole. */
function standingOf({ namespace, label, partner }: OpenedTool, tool: Tool | undefined) {
  const otherNames = [...(tool ? [tool.name] : []), ...(namespace === 'agent' || partner ? [`agent__${label}`] : [])];
  return { otherNames, isBuiltIn: isBuiltIn(tool) || tool?.endsSession === true };
}

/** What may not be called is not spoken of. */
function promptedTools(tools: ReadonlyMap<string, Tool>, opened: readonly OpenedTool[]): readonly Tool[] {
  return [...tools.values()].filter((_, i) => !opened[i]?.isDenied);
}

interface Prompt {
  readonly system: string;
  readonly tools: readonly OpenedTool[];
  readonly output: OutputContract;
}

/** The models with their bytes per token, if they count tokens; and the size of the prompt for the model that counts the most. */
function withMeasures(made: readonly Made[], { system, tools, output }: Prompt) {
  const estimate = tokensOf(system);
  const hasTools = tools.some((tool) => tool.isOffered);
  const measured = made.map(({ opened, countTokens, toolPromptTokens = 0 }) => {
    const { promptTokens = estimate, ...measure } = (countTokens && measureTokens(countTokens, system)) ?? {};
    return { promptTokens: promptTokens + (hasTools ? toolPromptTokens : 0), opened: { ...opened, ...measure } };
  });
  const models = measured.map(({ opened }) => opened);
  const schemaTokens = offeredTokens(tools) + tokensOfContract(output);
  const forSchemas = Math.ceil((schemaTokens * usualBytesPerToken) / bytesPerTokenOf(models));
  return { models, promptTokens: Math.max(...measured.map(({ promptTokens }) => promptTokens)) + forSchemas };
}

// Sessions of one agent share their list of tools: what that comes to is worked out once.
const measured = new WeakMap<readonly OpenedTool[], number>();

function offeredTokens(opened: readonly OpenedTool[]): number {
  const tokens = measured.get(opened) ?? tokensOfTools(opened.filter((tool) => tool.isOffered));
  measured.set(opened, tokens);
  return tokens;
}

/** What a tool calls its arguments is left alone: it would not know them by another name. */
function withoutSecrets(opened: readonly OpenedTool[], { secrets }: Run): readonly OpenedTool[] {
  if (secrets.isEmpty) return opened;
  const cleared = opened.map((tool) => {
    const { description, inputSchema } = tool;
    const kept = { description: secrets.keep(description), inputSchema: withoutSecretsIn(inputSchema, secrets) };
    return kept.description === description && kept.inputSchema === inputSchema ? tool : { ...tool, ...kept };
  });
  return cleared.every((tool, i) => tool === opened[i]) ? opened : cleared;
}

/** Only in its notes: what it demands must still be what the tool means. */
function withoutSecretsIn(schema: JsonSchema, secrets: Secrets): JsonSchema {
  if (secrets.keep(schema) === schema) return schema;
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => (notes.has(key) ? secrets.keep(value) : value));
}

const notes = new Set(['description', 'title', 'default', 'examples', '$comment']);

async function findPaused({ agent, run }: Opening, { handle, isPersons }: Resumption): Promise<Paused> {
  const paused = await run.ports.pauses.get(handle);
  if (!paused) throw unknownTo(agent, handle);
  if (paused.agentName !== agent.name)
    throw new AgentError('question-unknown', `The question "${handle}" was asked by ${paused.agentName}.`, {
      remedy: `Answer it with a session of ${paused.agentName}.`,
    });
  if (paused.question?.to === 'person' && !isPersons)
    throw new AgentError('question-unknown', `"${handle}" is a question that only a person may answer.`, {
      remedy: 'Do without the answer.',
    });
  return paused;
}

/** A question is answered once; an answer that does not fit leaves it open. */
async function goOn(
  { agent, run }: Opening,
  { handle, answer }: Resumption,
  paused: Paused,
): Promise<NonNullable<Opened['resumed']>> {
  const { question, calls = [] } = paused;
  const read = question ? readAnswer(question, answer) : readClientAnswer(calls, answer);
  if (!(await run.ports.pauses.delete(handle))) throw unknownTo(agent, handle);
  return { ...paused, answer: read as Json };
}

function unknownTo({ name }: Agent, handle: string): AgentError {
  return new AgentError('question-unknown', `No session of ${name} waits for an answer to "${handle}".`);
}

/** One that cannot be made is passed over when it is asked; only when none can be made is the session over. */
async function openModels(parts: Opening): Promise<readonly Made[]> {
  const refs = toModelRefs(parts.agent);
  if (refs.length === 1) return [await describe(parts, await parts.prepared.model(0))];
  const made = await Promise.allSettled(refs.map((_, i) => parts.prepared.model(i)));
  const broken = made.find((model) => model.status === 'rejected');
  if (broken && made.every((model) => model.status === 'rejected')) throw broken.reason;
  const working = made.find((model) => model.status === 'fulfilled')?.value;
  return Promise.all(
    made.map((model, i) =>
      model.status === 'fulfilled'
        ? describe(parts, model.value)
        : describe(parts, namedBy(refs[i], working), { mayLackPrice: true }),
    ),
  );
}

type Described = Omit<Model, 'call' | 'lane'>;

interface Made {
  readonly opened: OpenedModel;
  readonly countTokens: Model['countTokens'];
  readonly toolPromptTokens: Model['toolPromptTokens'];
}

/** A model that could not be made is not asked without a price, should it be there later. */
async function describe(parts: Opening, model: Described, { mayLackPrice = false } = {}): Promise<Made> {
  const { provider, model: name, countTokens, toolPromptTokens } = model;
  const { contextWindowTokens = parts.limits.contextWindowTokens } = model;
  // What is right for large windows would leave nothing of a small one.
  const wanted = model.contextBufferTokens ?? parts.limits.contextBufferTokens;
  const contextBufferTokens = Math.min(wanted, Math.floor(contextWindowTokens / 2));
  const price = await priceOf(parts, model, !mayLackPrice && parts.inherited.isMoneyCounted);
  const opened = { provider, model: name, price, contextWindowTokens, contextBufferTokens };
  return { opened, countTokens, toolPromptTokens };
}

async function priceOf(
  { run, agent }: Opening,
  { provider, model, price: own }: Described,
  isNeeded: boolean,
): Promise<OpenedModel['price']> {
  let given: unknown;
  let broken: { readonly cause: unknown } | undefined;
  try {
    given = await run.ports.prices?.(provider, model);
  } catch (cause) {
    broken = { cause };
  }
  // Whoever was asked for prices has the first word; then whoever opened the model.
  const price = readPrice(given, `${provider}/${model}`) ?? readPrice(own, `${provider}/${model}`);
  if (price) return price;
  if (!isNeeded) return null;
  const why = broken ? `: the prices port failed with "${messageOf(broken.cause)}"` : '';
  const message = `No price for ${provider}/${model}, so the costUsd of a budget over ${agent.name} cannot be enforced${why}.`;
  throw new AgentError('price-unknown', message, broken);
}

/** A model that could not be made, by its name; the conversation has to fit the one that answers in its place. */
function namedBy(ref: ModelRef | undefined, working: Model | undefined): Described {
  const { contextWindowTokens, contextBufferTokens } = working ?? {};
  return {
    ...toName(ref),
    ...(contextWindowTokens === undefined ? {} : { contextWindowTokens }),
    ...(contextBufferTokens === undefined ? {} : { contextBufferTokens }),
  };
}

function toName(ref: ModelRef | undefined): Pick<Model, 'provider' | 'model'> {
  if (typeof ref === 'object') return { provider: ref.provider, model: ref.model };
  const [provider = '', ...model] = ref?.split('/') ?? [];
  return { provider, model: model.join('/') };
}
