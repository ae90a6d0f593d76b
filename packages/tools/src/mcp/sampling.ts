// A server that asks for the words of a model: a session below the call, with the models and out of the budget of the caller.

import {
  type Agent,
  AgentError,
  AIAgentSession,
  agentTool,
  defaultSettings,
  type FilePart,
  type Message,
  type ModelRef,
  type Outcome,
  type TextPart,
  type ToolContext,
} from '@ai-agent/core';
import type { CreateMessageRequestParams, CreateMessageResult, SamplingMessage } from '@modelcontextprotocol/client';
import type { Calls } from './calls.ts';
import type { Answers } from './link.ts';

type Sample = NonNullable<Answers['sample']>;

/** One call cannot have a model talk for ever. */
const maxSamplings = 20;

interface Sampling {
  readonly server: string;
  readonly models: readonly ModelRef[];
  readonly calls: Calls;
}

export function toSample({ server, models, calls }: Sampling): Sample {
  const counts = new WeakMap<ToolContext, number>();
  return async (params, signal) => {
    const context = calls.latest;
    if (!context) throw refused(`${server} may ask a model only while one of its tools is called.`);
    if (params.tools !== undefined && params.tools.length > 0)
      throw refused('A request for a model with tools is not taken: leave tools out.');
    const number = (counts.get(context) ?? 0) + 1;
    if (number > maxSamplings) throw refused(`One call may ask a model ${maxSamplings} times, and has.`);
    counts.set(context, number);
    signal.throwIfAborted();
    return toAnswer(await runSession(toAgent(server, models, params), { params, context, number }));
  };
}

/** What a server wants is a wish; how much it gets is bounded as for every agent. */
function toAgent(server: string, models: readonly ModelRef[], params: CreateMessageRequestParams): Agent {
  const { systemPrompt = '', maxTokens, temperature, stopSequences } = params;
  const most = defaultSettings.maxOutputTokens ?? maxTokens;
  return {
    name: `${server}.sampling`,
    description: `Answers what the server ${server} asks a model.`,
    instructions: systemPrompt,
    model: models,
    limits: { maxTurns: 1 },
    settings: {
      maxOutputTokens: Math.max(1, Math.min(Math.trunc(maxTokens), most)),
      ...(temperature === undefined ? {} : { temperature: Math.max(0, Math.min(temperature, 2)) }),
      ...(stopSequences === undefined ? {} : { stopSequences: stopSequences.slice(0, 8) }),
    },
  };
}

interface Asked {
  readonly params: CreateMessageRequestParams;
  readonly context: ToolContext;
  /** Which of this call, counted from one. */
  readonly number: number;
}

async function runSession(agent: Agent, { params, context, number }: Asked): Promise<Outcome> {
  const messages = params.messages.map(toMessage);
  const last = messages.pop();
  if (last?.role !== 'user') throw refused('The last message to a model must be the user’s.');
  const text = last.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const attachments = last.content.filter((part) => part.type === 'file');
  let outcome: Outcome | undefined;
  const tool = agentTool({
    name: agent.name,
    description: agent.description ?? '',
    createSession: () => new AIAgentSession({ agent, envOverlay: context.env, history: messages, attachments }),
    toPrompt: () => text,
    mapResult: (ended) => {
      outcome = ended;
      return ended.text;
    },
  });
  const result = await tool.startSession(toCall(agent, context, number), context.caller);
  if (outcome) return outcome;
  throw refused(result.failure?.message ?? 'No model was asked.');
}

/** The session is told from others of the same call by its number. */
function toCall({ name }: Agent, { trace }: ToolContext, number: number) {
  const [, turn = '1', index = '1'] = /(\d+)\.(\d+)$/.exec(trace.turnPath) ?? [];
  return {
    turn: Number(turn),
    index: Number(index) * 1_000 + number,
    tool: trace.toolName ?? name,
    callId: trace.correlationId,
    args: {},
    instance: name,
    title: null,
  };
}

type Part = TextPart | FilePart;

function toMessage({ role, content }: SamplingMessage): Extract<Message, { role: 'user' | 'assistant' }> {
  const parts = (Array.isArray(content) ? content : [content]).map(toPart);
  if (role === 'user') return { role, content: parts };
  return { role, content: parts.filter((part) => part.type === 'text') };
}

type Block = Extract<SamplingMessage['content'], readonly unknown[]>[number];

function toPart(block: Block): Part {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'image' || block.type === 'audio')
    return { type: 'file', mediaType: block.mimeType, data: block.data };
  throw refused(`A message with a part of the type ${JSON.stringify(block.type)} is not taken.`);
}

function toAnswer(outcome: Outcome): CreateMessageResult {
  if (outcome.status === 'failed' || outcome.status === 'cancelled')
    throw new AgentError('tool-failed', outcome.failure.message);
  const asked = outcome.ledger.entries.findLast((entry) => entry.type === 'model');
  return {
    role: 'assistant',
    content: { type: 'text', text: outcome.text },
    model: asked?.type === 'model' ? `${asked.provider}/${asked.model}` : '',
    stopReason: outcome.status === 'partial' ? 'maxTokens' : 'endTurn',
  };
}

function refused(message: string): AgentError {
  return new AgentError('tool-refused', message);
}
