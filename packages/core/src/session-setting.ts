// Works out what a session is given: its place in the tree, limits, budget, contract, texts and layers.

import { type Agent, checkDepth, limitsOf } from './agent.ts';
import { idOf } from './agent-key.ts';
import { type Budget, narrower } from './budget.ts';
import { builtInMiddleware } from './built-in.ts';
import { defaultBudget } from './defaults.ts';
import { withMetadata } from './middleware/report-metadata.ts';
import type { Middleware } from './middleware.ts';
import type { OutputContract } from './model.ts';
import type { ToolCall } from './operation.ts';
import { resultOf } from './partners.ts';
import { rightsOf } from './permissions.ts';
import { type Denials, type Place, placeAtRoot, placeBelow } from './place.ts';
import type { Run } from './run.ts';
import type { AIAgentSessionConfig, PartnerCall } from './session-config.ts';
import type { Setting } from './setting.ts';
import { defaultTexts, type Texts } from './texts.ts';
import type { Caller, Inherited, ToolOffer } from './tool.ts';

interface Below {
  readonly call: ToolCall;
  readonly caller: Caller;
  readonly budget?: Budget;
  readonly partner?: PartnerCall;
}

export function toSetting(config: AIAgentSessionConfig, run: Run, below: Below | undefined): Setting {
  const { agent, envOverlay } = config;
  if (!below) checkDepth(agent);
  const limits = limitsOf(agent);
  if (envOverlay) run.secrets.hideOf(envOverlay);
  run.secrets.spare(agent.name);
  const budget = {
    ...(below ? {} : defaultBudget),
    ...narrower(narrower(agent.budget, config.budget), below?.budget),
  };
  const inherited = toInherited(config, budget, below?.caller.inherited);
  const key = { name: agent.name, id: idOf(agent) };
  const place = below
    ? placeBelow(key, below.caller.place, below.call, agent.limits?.maxDepth)
    : placeAtRoot(key, run.originId, limits.maxDepth, config.above);
  const rights = rightsOf(agent.permissions, below?.caller.place.denials);
  return {
    agent,
    // With the place they reach a session in another process too.
    place: rights?.denials || below?.partner ? withMore(place, rights?.denials, below) : place,
    limits,
    budget,
    env: Object.freeze({ ...envOverlay }),
    ...contractsOf(config),
    texts:
      agent.texts || inherited.texts !== none ? { ...defaultTexts, ...inherited.texts, ...agent.texts } : defaultTexts,
    middleware: layersOf(agent, inherited),
    inherited,
    rights,
    moreInstructions: config.instructions ?? '',
    moreTools: config.tools ?? noTools,
  };
}

/** Where other agents go on from its answer, what the caller asks for is asked of the last of them. */
function contractsOf({ agent, output: asked }: AIAgentSessionConfig) {
  const own = agent.output ?? plainText;
  const output = agent.handoff ? own : (asked ?? own);
  const isOutputAsked = output === asked && asked?.format === 'json' && own.format !== 'json';
  return { output, isOutputAsked, result: asked ?? resultOf(agent) ?? plainText, isResultAsked: asked !== undefined };
}

function withMore(place: Place, denials: Denials | undefined, below: Below | undefined): Place {
  const { partner, caller } = below ?? {};
  return {
    ...place,
    ...(denials ? { denials } : {}),
    ...(partner ? { partner: partner.role } : {}),
    ...(partner?.isLast && caller ? { answers: caller.place.answers ?? caller.place.id } : {}),
  };
}

const plainText: OutputContract = { format: 'text' };
const none: Partial<Texts> = {};
const noTools: readonly ToolOffer[] = [];

function toInherited(
  { texts, middleware }: AIAgentSessionConfig,
  { costUsd }: Budget,
  above: Inherited | undefined,
): Inherited {
  const isMoneyCounted = costUsd !== undefined || above?.isMoneyCounted === true;
  // Most sessions hand on what they got: thousands of them share it.
  if (above && !texts && !middleware && isMoneyCounted === above.isMoneyCounted) return above;
  return {
    middleware: withOwn(above?.middleware ?? [], middleware),
    texts: texts ? { ...above?.texts, ...texts } : (above?.texts ?? none),
    isMoneyCounted,
  };
}

function layersOf(agent: Agent, inherited: Inherited): readonly Middleware[] {
  const layers = withOwn(builtInMiddleware(agent), inherited.middleware, agent.middleware);
  return agent.plugins ? withMetadata(layers, agent.plugins) : layers;
}

function withOwn<T>(base: readonly T[], ...more: readonly (readonly T[] | undefined)[]): readonly T[] {
  const added = more.flatMap((list) => list ?? []);
  return added.length === 0 ? base : [...base, ...added];
}
