// A server that asks for the words of a model: a session below the call, with the models and out of the budget of the caller.

import {
  type Agent,
  AgentError,
  defaultSettings,
  type FilePart,
  type Message,
  runInside,
  type TextPart,
  type ToolContext,
} from '@ai-agent/core';
import type { CreateMessageRequestParams, CreateMessageResult, SamplingMessage } from '@modelcontextprotocol/client';
import type { Calls } from './calls.ts';
import type { Answers } from './link.ts';

type Sample = NonNullable<Answers['sample']>;

/** One call cannot have a model talk for ever. */
const maxSamplings = 20;

export function toSample(server: string, calls: Calls): Sample {
  const counts = new WeakMap<ToolContext, number>();
  return async (params, signal) => {
    if (params.tools !== undefined && params.tools.length > 0)
      throw refused('A request for a model with tools is not taken: leave tools out.');
    signal.throwIfAborted();
    const answer = await calls.answer(async (context) => {
      const number = (counts.get(context) ?? 0) + 1;
      if (number > maxSamplings) throw refused(`One call may ask a model ${maxSamplings} times, and has.`);
      counts.set(context, number);
      return sample(toAgent(server, context, params), params, context);
    });
    if (!answer) throw refused(`${server} may ask a model only while one of its tools is called.`);
    return answer;
  };
}

/** What a server wants is a wish; how much it gets is bounded as for every agent. */
function toAgent(server: string, { caller }: ToolContext, params: CreateMessageRequestParams): Agent {
  const { systemPrompt = '', maxTokens, temperature, stopSequences } = params;
  const most = defaultSettings.maxOutputTokens ?? maxTokens;
  return {
    name: `${server}.sampling`,
    description: `Answers what the server ${server} asks a model.`,
    instructions: systemPrompt,
    model: caller.models,
    limits: { maxTurns: 1 },
    settings: {
      maxOutputTokens: Math.max(1, Math.min(Math.trunc(maxTokens), most)),
      ...(temperature === undefined ? {} : { temperature: Math.max(0, Math.min(temperature, 2)) }),
      ...(stopSequences === undefined ? {} : { stopSequences: stopSequences.slice(0, 8) }),
    },
  };
}

async function sample(
  agent: Agent,
  params: CreateMessageRequestParams,
  context: ToolContext,
): Promise<CreateMessageResult> {
  const history = params.messages.map(toMessage);
  const last = history.pop();
  if (last?.role !== 'user') throw refused('The last message to a model must be the user’s.');
  const prompt = last.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const attachments = last.content.filter((part) => part.type === 'file');
  const { failure, text, session } = await runInside(agent, prompt, { context, history, attachments });
  if (failure) throw new AgentError('tool-failed', failure.message, { class: failure.class });
  return {
    role: 'assistant',
    content: { type: 'text', text },
    model: modelOf(context, session?.id ?? ''),
    stopReason: session?.limit === 'maxOutputTokens' ? 'maxTokens' : 'endTurn',
  };
}

/** The one that answered, which a list of models does not say. */
function modelOf({ caller }: ToolContext, sessionId: string): string {
  const { entries } = caller.run.records.ledger.ledger(sessionId);
  const asked = entries.findLast((entry) => entry.type === 'model');
  return asked?.type === 'model' ? `${asked.provider}/${asked.model}` : '';
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

function refused(message: string): AgentError {
  return new AgentError('tool-refused', message);
}
