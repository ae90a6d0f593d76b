// A model for demonstrations: in process, by rule, the same every time. It understands nothing, and says so.

import {
  AgentError,
  type AssistantMessage,
  type Model,
  type ModelContext,
  type ModelReply,
  type ModelRequest,
  type Usage,
} from '@ai-agent/core';
import { planCalls } from './calls.ts';
import { type Conversation, readConversation } from './conversation.ts';
import { gatherMaterial } from './material.ts';
import { answerAlone, composeReport, ownWords, pointsOf, resultsOf } from './report.ts';
import { makeValue } from './values.ts';

export interface OfflineDemoOptions {
  /** Awaited before each piece of a streamed reply and before calls, so that people can watch. @default no waiting */
  readonly pace?: (signal: AbortSignal) => Promise<void>;
}

/** Calls every tool it is offered once, but those that say they change something, then composes a report from what they gave. No network, no clock, no chance. */
export function offlineDemo(options: OfflineDemoOptions = {}): Model {
  return {
    provider: 'offline',
    model: 'demo',
    async call(request, context) {
      const conversation = readConversation(request);
      const calls = planCalls(request.tools, conversation);
      const text = calls.length > 0 ? '' : finalText(request, conversation);
      await stream(text, context, options);
      return toReply(request, calls.length > 0 ? calls : [{ type: 'text', text }]);
    },
  };
}

function finalText(request: ModelRequest, { heard, ...rest }: Conversation): string {
  const { output, system } = request;
  const conversation = { ...rest, heard, calls: [...heard, ...rest.calls] };
  if (output.format === 'json') return JSON.stringify(jsonReport(request, conversation));
  if (conversation.calls.length > 0) return composeReport(conversation, output.format);
  return answerAlone({ conversation, system, format: output.format });
}

function jsonReport({ output, system }: ModelRequest, conversation: Conversation) {
  const material = gatherMaterial(conversation.prompt, {
    instructions: ownWords(system),
    results: resultsOf(conversation),
    found: pointsOf(conversation),
  });
  if (output.schema) return makeValue(output.schema, material, 'report');
  return { task: material.heading, answer: material.summary, points: material.points };
}

async function stream(text: string, { onDelta, signal }: ModelContext, { pace }: OfflineDemoOptions): Promise<void> {
  throwIfAborted(signal);
  const pieces = onDelta ? (text.match(/\s*\S+\s*$|\s*\S+/g) ?? ['']) : [''];
  for (const piece of pieces) {
    // However the wait ends, an abort is told in one way.
    if (onDelta) await pace?.(signal).catch((error) => (signal.aborted ? undefined : Promise.reject(error)));
    throwIfAborted(signal);
    if (piece !== '') onDelta?.({ type: 'text', text: piece });
  }
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new AgentError('cancelled', 'The call of offline/demo was cancelled.', { cause: signal.reason });
  }
}

/** Nothing counts tokens here: the figures are an estimate. The price is none, exactly. */
function toReply({ system, messages, tools }: ModelRequest, content: AssistantMessage['content']): ModelReply {
  const hasCalls = content.some((part) => part.type === 'tool-call');
  return {
    message: { role: 'assistant', content },
    finishReason: hasCalls ? 'tool-calls' : 'stop',
    usage: { ...estimate('inputTokens', { system, messages, tools }), ...estimate('outputTokens', content) },
    costUsd: 0,
  };
}

/** Four characters to a token. What is nested too deep to be written down stays unknown. */
function estimate(figure: keyof Usage, value: unknown): Usage {
  try {
    return { [figure]: Math.ceil(JSON.stringify(value).length / 4) };
  } catch {
    return {};
  }
}
