// `--trace-llm`: every request to a model and every reply in words, as it happens. Made of facts, which hide secrets already.

import { type AgentEvent, type Fact, type Message, type ModelReply, oneLine, type Usage } from '@ai-agent/core';
import { toGutter } from './trace-text.ts';

type ModelEnd = Extract<Fact, { readonly type: 'model-end' }>;

/** Told every event of a run; writes what went to models and came from them. */
export function traceModels(write: (text: string) => void): (event: AgentEvent) => void {
  /** By session: what its model has not been told yet. */
  const untold = new Map<string, string[]>();
  return (event) => {
    if (event.kind !== 'fact') return;
    const { selfId, instanceName } = event.trace;
    const lines = untold.get(selfId) ?? [];
    untold.set(selfId, lines);
    lines.push(...toLines(event));
    if (event.type === 'model-start') {
      const { turn, provider, model } = event;
      const head = oneLine(`→ ${instanceName}, turn ${turn}, to ${provider}/${model}`);
      write(`${head}\n${lines.splice(0).join('')}`);
    }
    if (event.type === 'model-end') write(toReply(event));
    if (event.type === 'session-end') untold.delete(selfId);
  };
}

/** What a fact adds to the next request. */
function toLines(fact: Fact): readonly string[] {
  if (fact.type === 'session-start') {
    const { system, messages, tools } = fact;
    const offered = tools.length === 0 ? [] : [toGutter('tools', tools.join(', '))];
    return [toGutter('system', system), ...messages.flatMap(toMessage), ...offered];
  }
  if (fact.type === 'turn-start') return fact.said.flatMap(toMessage);
  if (fact.type === 'batch-end') return [toGutter('result of batch', fact.result.text)];
  if (fact.type !== 'tool-end' || fact.batch !== undefined) return [];
  const { label, result } = fact;
  return [toGutter(`result of ${label}${result.status === 'ok' ? '' : ` (${result.status})`}`, result.text)];
}

function toMessage(message: Message): readonly string[] {
  if (message.role === 'system') return [toGutter('system', message.text)];
  return message.content.map((part) => {
    if (part.type === 'file') return toGutter(`${message.role}, a file`, `${part.name ?? ''} ${part.mediaType}`.trim());
    if (part.type === 'tool-call') return toGutter(`calls ${part.name}`, part.input);
    if (part.type === 'tool-result') return toGutter(`result of ${part.name}`, part.text);
    return toGutter(part.type === 'reasoning' ? 'thinks' : message.role, part.text);
  });
}

function toReply({ trace, turn, provider, model, startedAt, endedAt, attempts, reply, failure }: ModelEnd): string {
  const tried = attempts.map((one) =>
    toGutter(`failed attempt, ${one.provider}/${one.model}`, `${one.failure.class}: ${one.failure.message}`),
  );
  const figures = [seconds(endedAt - startedAt), ...(reply ? figuresOf(reply) : ['failed'])].join(', ');
  const head = oneLine(`← ${trace.instanceName}, turn ${turn}, from ${provider}/${model}: ${figures}`);
  const said = reply ? toMessage(reply.message) : [toGutter(failure?.class ?? 'failed', failure?.message ?? '')];
  return [`${head}\n`, ...tried, ...said].join('');
}

function figuresOf({ usage, finishReason }: ModelReply): readonly string[] {
  return [...tokensOf(usage), finishReason];
}

function tokensOf({ inputTokens, outputTokens }: Usage): readonly string[] {
  return [`${inputTokens ?? '?'} tokens in`, `${outputTokens ?? '?'} out`];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
