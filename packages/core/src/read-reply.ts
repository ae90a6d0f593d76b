// What a model answered, read once at the border: inside, the reply is what its type says.

import { AgentError } from './errors.ts';
import { isObject } from './json.ts';
import type { AssistantMessage } from './message.ts';
import type { FinishReason, ModelReply } from './model.ts';
import type { Secrets } from './secrets.ts';
import type { Usage } from './usage.ts';

type Part = AssistantMessage['content'][number];

/**
 * Throws `model-reply-invalid` for what is no reply at all; figures that make no sense become unknown. Nothing of it is
 * a secret of the tree.
 */
export function readReply(reply: unknown, op: string, secrets: Secrets): ModelReply {
  const { message, finishReason, usage, costUsd, servedBy, shortenedBy } = isObject(reply) ? reply : {};
  const content = isObject(message) ? message.content : undefined;
  if (!Array.isArray(content)) throw new AgentError('model-reply-invalid', 'The model answered without a message.');
  const cost = readFigure(costUsd);
  const reason = finishReasons.has(finishReason as FinishReason) ? (finishReason as FinishReason) : 'other';
  const parts = content.map(readPart);
  // What a filter has touched is no longer what the model meant: its calls are not made.
  const meant = reason === 'content-filter' ? parts.filter(({ type }) => type !== 'tool-call') : parts;
  return {
    message: { role: 'assistant', content: withCallIds(meant, op, secrets) },
    finishReason: reason,
    usage: readUsage(usage),
    ...(cost === undefined ? {} : { costUsd: cost }),
    ...(typeof servedBy === 'string' ? { servedBy: secrets.keep(servedBy) } : {}),
    ...(shortenedBy === 'tokens' || shortenedBy === 'costUsd' ? { shortenedBy } : {}),
  };
}

const finishReasons = new Set<FinishReason>(['stop', 'tool-calls', 'length', 'content-filter', 'other']);

const textFields: Record<Part['type'], readonly string[]> = {
  text: ['text'],
  reasoning: ['text'],
  'tool-call': ['name', 'input'],
};

function readPart(part: unknown): Part {
  const fields =
    isObject(part) && Object.hasOwn(textFields, String(part.type)) ? textFields[part.type as Part['type']] : undefined;
  if (!fields || !isObject(part) || fields.some((field) => typeof part[field] !== 'string')) {
    throw new AgentError(
      'model-reply-invalid',
      'The model answered with a part that is neither text, reasoning nor a call.',
    );
  }
  return onlyKnown(part as unknown as Part);
}

/** Whatever else a provider says in a part, nobody here would know to look at it. */
function onlyKnown(part: Part): Part {
  const { type, bound } = part;
  const known: Part =
    type === 'tool-call' ? { type, id: part.id, name: part.name, input: part.input } : { type, text: part.text };
  return isObject(bound) ? { ...known, bound } : known;
}

/**
 * Results find their calls by id: one that is missing, said twice or must not be shown gets a new one, before anything
 * is recorded. Ids and names go into traces, which are shown as they are.
 */
function withCallIds(parts: readonly Part[], op: string, secrets: Secrets): readonly Part[] {
  const seen = new Set<string>();
  return parts.map((part, i) => {
    if (part.type !== 'tool-call') return cleared(part, secrets);
    const isUsable =
      typeof part.id === 'string' && part.id !== '' && !seen.has(part.id) && secrets.show(part.id) === part.id;
    const id = isUsable ? part.id : `${op.replaceAll('.', '_')}_${i + 1}`;
    seen.add(id);
    const input = secrets.keepJson(part.input);
    return { ...secrets.keep(part), input, name: secrets.show(part.name), id };
  });
}

/** A thought that is no longer what was signed goes back to nobody. */
function cleared(part: Exclude<Part, { type: 'tool-call' }>, secrets: Secrets): Part {
  if (secrets.isEmpty) return part;
  const kept = { ...secrets.keep(part), text: secrets.keepJson(part.text) };
  const isChanged = kept.text !== part.text || JSON.stringify(kept.bound) !== JSON.stringify(part.bound);
  return isChanged && part.type === 'reasoning' ? { ...kept, bound: {} } : kept;
}

const usageKeys = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'] as const;

/** Figures that make no sense become unknown. */
export function readUsage(usage: unknown): Usage {
  if (!isObject(usage)) return {};
  const known = usageKeys.flatMap((key) => {
    const figure = readFigure(usage[key]);
    return figure === undefined ? [] : [[key, figure] as const];
  });
  return Object.fromEntries(known);
}

function readFigure(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
