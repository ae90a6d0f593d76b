// A stream as the package reads it, with what it does not read well put right.

import { isObject } from '@ai-agent/core';
import {
  APICallError,
  JSONParseError,
  type LanguageModelV4FinishReason,
  type LanguageModelV4StreamPart as Part,
  TypeValidationError,
} from '@ai-sdk/provider';
import { failureIn, unreadable } from './failure-in.ts';
import { mendEvent } from './mend-event.ts';
import { toUsage, usageIn } from './usage-as-said.ts';

type Finish = Extract<Part, { type: 'finish' }>;
type Fields = Readonly<Record<string, unknown>>;

export function readingStream(): TransformStream<Part, Part> {
  let isMended = false;
  let hasCalls = false;
  let end: Fields | undefined;

  function read(part: Part): Part | undefined {
    if (part.type === 'finish') return isMended ? end && mendFinish(part, end, hasCalls) : readFinish(part);
    hasCalls ||= part.type === 'tool-call';
    const mended = mend(part);
    isMended ||= mended !== undefined;
    const seen = mended ?? part;
    if (seen.type === 'error') return { type: 'error', error: toMismatch(seen.error) ?? seen.error };
    if (seen.type !== 'raw') return seen;
    end = endIn(seen.rawValue) ?? end;
    // The package reads failures only if they are exactly as it knows them.
    const failure = failureIn(seen.rawValue);
    return failure ? { type: 'error', error: failure } : seen;
  }

  return new TransformStream({
    transform(part, controller) {
      const passed = read(part);
      if (passed) controller.enqueue(passed);
    },
  });
}

function mend(part: Part): Extract<Part, { type: 'raw' }> | undefined {
  if (part.type !== 'error' || !JSONParseError.isInstance(part.error)) return undefined;
  const event = mendEvent(part.error.text);
  return event && { type: 'raw', rawValue: event };
}

/** The package knows a stream of chat completions, where it expected none, and then cannot say so in a few words. */
function toMismatch(error: unknown): unknown {
  const { value } = APICallError.isInstance(error) && TypeValidationError.isInstance(error.cause) ? error.cause : {};
  return isObject(value) && Array.isArray(value.choices) ? unreadable(value) : undefined;
}

/** A stream that just ended has no end to tell of: whoever reads it knows better what it was. */
function readFinish(part: Finish): Finish | undefined {
  return part.finishReason.unified === 'interrupted' ? undefined : { ...part, usage: toUsage(part.usage) };
}

/** The package takes a reply for failed when any event was damaged, whatever comes after it. */
function mendFinish(part: Finish, { incomplete_details: details, usage }: Fields, hasCalls: boolean): Finish {
  const raw = isObject(details) ? String(details.reason) : undefined;
  return {
    ...part,
    finishReason: { unified: finishOf(raw, hasCalls), raw },
    usage: usageIn(isObject(usage) ? usage : {}),
  };
}

function finishOf(raw: string | undefined, hasCalls: boolean): LanguageModelV4FinishReason['unified'] {
  if (raw === 'max_output_tokens') return 'length';
  if (raw === 'content_filter') return 'content-filter';
  if (hasCalls) return 'tool-calls';
  return raw === undefined ? 'stop' : 'other';
}

function endIn(event: unknown): Fields | undefined {
  if (!isObject(event) || !isObject(event.response)) return undefined;
  return event.type === 'response.completed' || event.type === 'response.incomplete' ? event.response : undefined;
}
