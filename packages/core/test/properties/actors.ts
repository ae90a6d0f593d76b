// Models and tools that do what their spec says, whatever is good for them.

import {
  AgentError,
  defineTool,
  fail,
  type Message,
  type Model,
  type ModelRequest,
  type ModelWork,
  sleep,
  type ToolDefinition,
  type ToolOutput,
} from '@ai-agent/core';
import { type ScriptedCall, toReply } from '@ai-agent/core/testing';
import type { AgentSpec, CallSpec, StepSpec, ToolSpec, UsageSpec } from './spec.ts';
import type { Stage } from './stage.ts';

/** What the calls of an agent may go to. */
export interface Reach {
  readonly children: readonly string[];
  readonly lazy: readonly string[];
  readonly tools: readonly string[];
}

/** All models of one agent take turns with its steps. */
export function actingModels(stage: Stage, name: string, spec: AgentSpec, reach: Reach): readonly Model[] {
  let count = 0;
  const call: Model['call'] = async (request, { signal }) => {
    const step = spec.steps[count++ % spec.steps.length] as StepSpec;
    const work = stage.workOf(request);
    const end = stage.begin(
      { type: 'model', sessionId: work.place.id, key: work.key },
      signal,
      work.limit !== null && work.place.depth === 0,
    );
    try {
      await pass(stage, step, signal);
      if (step.type === 'throw') throw new TypeError('the model is broken');
      if (step.type === 'fail')
        throw new AgentError(step.code, 'the provider says no', withRetryAfter(step.retryAfterMs));
      return reply(step, { request, work, reach, count, isReported: spec.price === 'reported' });
    } finally {
      end();
    }
  };
  return Array.from({ length: spec.models }, (_, i) => ({ provider: name, model: `m${i}`, call }));
}

const withRetryAfter = (retryAfterMs: number | undefined) => (retryAfterMs === undefined ? {} : { retryAfterMs });

interface Replying {
  readonly request: ModelRequest;
  readonly work: ModelWork;
  readonly reach: Reach;
  readonly count: number;
  readonly isReported: boolean;
}

function reply(step: StepSpec, { request, work, reach, count, isReported }: Replying) {
  const text = { text: 'so far so good', json: '{"ok":true}' }[step.type as string] ?? '';
  const calls = step.type === 'calls' ? step.calls.map((call) => toCall(call, reach, request.messages)) : [];
  const said = { text: step.type === 'calls' ? 'let me see' : text, calls };
  const cost = isReported ? { costUsd: step.usage.output / 10_000 } : {};
  const cut = step.isCut ? { finishReason: 'length' as const } : {};
  return toReply({ ...said, usage: usageOf(step.usage, request, work), ...cost, ...cut }, count);
}

function usageOf({ type, input, output }: UsageSpec, { settings }: ModelRequest, { inputTokens }: ModelWork) {
  const most = settings.maxOutputTokens ?? 16_384;
  const lie = type === 'lying' ? 3 : 1;
  const usage = {
    inputTokens: Math.floor((inputTokens * input * lie) / 100),
    outputTokens: Math.floor((most * output * lie) / 100),
  };
  if (type === 'half') return { inputTokens: usage.inputTokens };
  return type === 'unknown' ? {} : usage;
}

function toCall({ to, which, args }: CallSpec, reach: Reach, messages: readonly Message[]): ScriptedCall {
  const all = [...reach.children, ...reach.lazy, ...reach.tools];
  const pick = (names: readonly string[]) => names[which % names.length] ?? all[which % all.length] ?? 'nothing_such';
  if (args === 'broken') return { name: pick(all), input: '{"text": ' };
  if (to === 'child') return { name: pick(reach.children), input: forAgents[args] };
  if (to === 'lazy') return { name: pick(reach.lazy), input: forAgents[args] };
  if (to === 'tool') return { name: pick(reach.tools), input: args === 'bad' ? { n: 'one' } : { n: which } };
  if (to === 'ask') return { name: 'ask_user', input: toQuestion(which, args) };
  if (to === 'resume') return toResume(messages, args) ?? { name: pick(reach.children), input: forAgents.good };
  return to === 'output' ? { name: 'tool_output', input: { handle: 'out-1.1' } } : { name: 'nothing_such' };
}

const forAgents = {
  good: { text: 'do it', reason: 'it has to be done' },
  json: { json: { a: 1 }, reason: 'it has to be done', format: 'json' },
  bad: { text: 7 },
};

function toQuestion(which: number, args: CallSpec['args']) {
  if (args === 'bad') return {};
  return {
    question: 'What now?',
    ...(which === 1 ? { choices: ['a', 'b'] } : which === 2 ? { schema: { type: 'integer' } } : {}),
  };
}

/** Answers the last question that a session below went away with. */
function toResume(messages: readonly Message[], args: CallSpec['args']): ScriptedCall | undefined {
  const parts = messages.flatMap((message) => (message.role === 'tool' ? message.content : []));
  const asked = parts.findLast(({ text }) => text.includes('"resume": "'));
  const handle = /"resume": "([^"]+)"/.exec(asked?.text ?? '')?.[1];
  const answer = asked?.text.includes('integer') ? 7 : 'a';
  return asked && { name: asked.name, input: { resume: handle, answer: args === 'bad' ? null : answer, reason: 'r' } };
}

export function actingTool(stage: Stage, name: string, spec: ToolSpec): ToolDefinition {
  return defineTool({
    name,
    inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    needsApproval: spec.needsApproval,
    ...(spec.timeoutMs === undefined ? {} : { timeoutMs: spec.timeoutMs }),
    async execute(_, { signal, trace }) {
      const [turn, index] = trace.turnPath.split('-').at(-1)?.split('.') ?? [];
      const key = `${trace.selfId}/turn.${turn}.tool.${index}`;
      const end = stage.begin({ type: 'tool', sessionId: trace.selfId, key }, signal);
      try {
        await pass(stage, spec, signal);
        return outputOf(spec);
      } finally {
        end();
      }
    },
  });
}

function outputOf({ type }: ToolSpec): ToolOutput {
  if (type === 'throw') throw new TypeError('the tool is broken');
  if (type === 'fail') return fail('it cannot be done');
  if (type === 'json') return { type: 'json', value: { grams: 3 } };
  if (type === 'huge') return 'abc\n'.repeat(2_000);
  return type === 'nothing' ? (undefined as never) : 'done';
}

/** Takes its time, with an ear for its signal or without; or never ends. */
async function pass(
  stage: Stage,
  { type, latencyMs, isDeaf }: StepSpec | ToolSpec,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = stage.common;
  const durationMs = type === 'hang' ? Number.MAX_SAFE_INTEGER / 4 : latencyMs;
  if (isDeaf && type === 'hang') await new Promise(() => {});
  else if (isDeaf && latencyMs > 0) await new Promise<void>((resolve) => clock.after(latencyMs, resolve));
  else if (durationMs > 0) await sleep(clock, durationMs, signal);
}
