// Every text of an event that somebody else wrote: fields by their names, because all events pass here and few have anything.

import type { Ending } from './ending.ts';
import type { Failure } from './errors.ts';
import type {
  Fact,
  ModelEnd,
  ModelSend,
  ModelWait,
  SessionStart,
  TaskStatus,
  ToolProgress,
  ToolStart,
  TurnEnd,
} from './events.ts';
import type { Message, ToolCallPart, ToolResultPart } from './message.ts';
import { carries, type Striker } from './strike.ts';
import type { ToolResult } from './tool-result.ts';

/** Whether there is anything to strike out of an event. */
export function isTelling(event: Fact | ToolProgress | TaskStatus | ModelWait | ModelSend, striker: Striker): boolean {
  switch (event.type) {
    case 'session-start':
      return inStart(event, striker);
    case 'turn-start':
      return inMessages(event.said, striker);
    case 'model-start':
    case 'model-send':
      return striker.finds(event.provider) || striker.finds(event.model);
    case 'model-wait':
      return striker.finds(event.provider) || striker.finds(event.model) || inFailure(event.failure, striker);
    case 'model-end':
      return inModelEnd(event, striker);
    case 'question-start':
      return carries(event.question, striker);
    case 'question-end':
      return carries(event.answer, striker) || inFailure(event.failure, striker);
    case 'tool-start':
      return inCall(event, striker);
    case 'tool-end':
      return inResult(event.result, striker) || finds(event.batch, striker);
    case 'batch-end':
      return inResult(event.result, striker);
    case 'session-end':
      return inEnding(event.ending, striker);
    case 'tool-progress':
      return carries(event.text, striker);
    case 'task-status':
      return striker.finds(event.now) || striker.finds(event.done) || striker.finds(event.pending);
    case 'turn-end':
      return inTurnEnd(event, striker);
  }
}

/**
 * Fields that only we fill. Names of tools and agents are among them, and the ids of calls in a trace: what a model
 * made up was cleared when its reply was read.
 */
export const ownFields: ReadonlySet<string> = new Set(
  'type kind op trace callerOp limit usage label namespace instance tools partner step child'.split(' '),
);

function inStart({ title, system, messages, request, continues, output }: SessionStart, striker: Striker): boolean {
  return (
    (title !== null && striker.finds(title)) ||
    striker.finds(system) ||
    inMessages(messages, striker) ||
    finds(request?.text, striker) ||
    (continues !== undefined && carries(continues.missing, striker)) ||
    (output.schema !== undefined && carries(output.schema, striker))
  );
}

function inModelEnd({ provider, model, requests, reply, failure }: ModelEnd, striker: Striker): boolean {
  const isNamed = (one: Pick<ModelEnd, 'provider' | 'model'> & { readonly failure?: Failure | undefined }) =>
    striker.finds(one.provider) || striker.finds(one.model) || inFailure(one.failure, striker);
  if (isNamed({ provider, model, failure }) || requests.some(isNamed)) return true;
  if (!reply) return false;
  return (reply.servedBy !== undefined && striker.finds(reply.servedBy)) || inMessage(reply.message, striker);
}

function inTurnEnd({ prompt, summedUp }: TurnEnd, striker: Striker): boolean {
  return (
    (prompt !== undefined && inMessage(prompt, striker)) ||
    (summedUp !== undefined && inMessage(summedUp.summary, striker))
  );
}

function inCall({ call, title, batch }: ToolStart, striker: Striker): boolean {
  return (title !== null && striker.finds(title)) || inCallPart(call, striker) || finds(batch, striker);
}

function finds(text: string | undefined, striker: Striker): boolean {
  return text !== undefined && striker.finds(text);
}

function inResult(result: ToolResult, striker: Striker): boolean {
  const { text, value, summary, failure, session, files, handOver } = result;
  return (
    striker.finds(text) ||
    (files !== undefined && carries(files, striker)) ||
    carries(value, striker) ||
    (summary !== undefined && striker.finds(summary)) ||
    inFailure(failure, striker) ||
    carries(session?.question, striker) ||
    (handOver?.message !== undefined && striker.finds(handOver.message))
  );
}

function inEnding(ending: Ending, striker: Striker): boolean {
  if (striker.finds(ending.text) || carries(ending.report, striker) || carries(ending.metadata, striker)) return true;
  if (ending.status === 'needs_user_input') return carries(ending.question, striker);
  if (ending.status === 'needs_client_tools') return carries(ending.calls, striker);
  return 'failure' in ending && inFailure(ending.failure, striker);
}

function inFailure(failure: Failure | undefined, striker: Striker): boolean {
  return failure !== undefined && (striker.finds(failure.message) || striker.finds(failure.remedy));
}

function inMessages(messages: readonly Message[], striker: Striker): boolean {
  for (const message of messages) if (inMessage(message, striker)) return true;
  return false;
}

function inMessage(message: Message, striker: Striker): boolean {
  if (message.role === 'system') return striker.finds(message.text);
  for (const part of message.content) if (inPart(part, striker)) return true;
  return false;
}

type Part = Exclude<Message, { readonly role: 'system' }>['content'][number];

function inPart(part: Part, striker: Striker): boolean {
  if (part.type === 'tool-result') return inResultPart(part, striker);
  if (part.type === 'text' || part.type === 'reasoning')
    return striker.finds(part.text) || (part.bound !== undefined && carries(part.bound, striker));
  return part.type === 'tool-call' ? inCallPart(part, striker) : carries(part, striker);
}

function inCallPart({ input, name, id, bound, batch }: ToolCallPart, striker: Striker): boolean {
  if (striker.finds(input) || striker.finds(name) || striker.finds(id) || finds(batch, striker)) return true;
  return bound !== undefined && carries(bound, striker);
}

function inResultPart({ text, name, id, files }: ToolResultPart, striker: Striker): boolean {
  if (files !== undefined && carries(files, striker)) return true;
  return striker.finds(text) || striker.finds(name) || striker.finds(id);
}
