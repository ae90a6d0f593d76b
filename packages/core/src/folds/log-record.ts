// Facts as structured log records, one line each. Prompts and results stay out: only their sizes, and the words of failures.

import type { Ending } from '../ending.ts';
import type { Fact, ModelEnd, ModelStart, ToolEnd, ToolStart, TurnEnd, TurnStart } from '../events.ts';
import { isCutOff, totalsOfCall } from '../model-requests.ts';
import { roleWords } from '../place.ts';
import { oneLine } from '../text.ts';
import { shownName } from '../tool-names.ts';
import type { Totals } from '../totals.ts';
import type { Trace } from '../trace.ts';
import { tokenWords } from './fin-summary.ts';

export interface LogRecord extends Trace {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly event: Fact['type'];
  readonly op: string;
  readonly message: string;
}

export function toLogRecord(fact: Fact): LogRecord {
  return { at: fact.at, ...describe(fact), event: fact.type, op: fact.op, ...fact.trace };
}

/** One line of text; a sub-agent's begins with `child:` and the name it was called by. */
export function toLogLine(record: Trace & Pick<LogRecord, 'level' | 'message'>): string {
  const who = record.parentId === null ? record.agentName : `child:${record.instanceName}`;
  return oneLine(`${who} ${record.selfId} ${record.turnPath || '0'} ${record.level} ${record.message}`);
}

type Description = Pick<LogRecord, 'level' | 'message'>;

function describe(fact: Fact): Description {
  switch (fact.type) {
    case 'session-start':
      return {
        level: 'info',
        message: `session of ${fact.trace.instanceName} started${fact.partner ? ` as ${roleWords[fact.partner]}` : ''}${fact.title ? `: ${fact.title}` : ''}`,
      };
    case 'turn-start':
      return {
        level: 'debug',
        message: `${toTurn(fact)} started${fact.limit ? `, the last one by ${fact.limit}` : ''}`,
      };
    case 'turn-end':
      return { level: 'debug', message: `${toTurn(fact)} ended` };
    case 'model-start':
      return { level: 'debug', message: `${toStep(fact)}model ${fact.provider}/${fact.model} called` };
    case 'model-end':
      return describeModelCall(fact);
    case 'tool-start':
      return {
        level: 'debug',
        message: `tool ${nameOf(fact)} called${fact.title ? `: ${fact.title}` : ''}`,
      };
    case 'tool-end': {
      const took = `tool ${nameOf(fact)} took ${fact.endedAt - fact.startedAt} ms, ${fact.bytesIn} B in, ${fact.bytesOut} B out`;
      const { failure, status } = fact.result;
      return failure
        ? { level: 'warn', message: `${took}, ${status} (${failure.class}): ${failure.message}` }
        : { level: 'info', message: took };
    }
    case 'batch-end':
      return { level: 'debug', message: `batch of ${fact.calls.length} ended` };
    case 'question-start':
      return { level: 'info', message: `asks: ${fact.question.text}` };
    case 'question-end':
      return fact.failure
        ? { level: 'warn', message: `was not answered (${fact.failure.class}): ${fact.failure.message}` }
        : { level: 'info', message: `was answered after ${fact.endedAt - fact.startedAt} ms` };
    case 'session-end':
      return describeEnding(fact.ending, fact.endedAt - fact.startedAt);
  }
}

function describeModelCall(call: ModelEnd): Description {
  const { provider, model, startedAt, endedAt, failure } = call;
  const total = totalsOfCall(call);
  const used = total.modelCalls > 0 ? `, ${tokenWords(total)}` : '';
  const took = `${toStep(call)}model ${provider}/${model} took ${endedAt - startedAt} ms${inRequests(total)}${used}`;
  if (isCutOff(failure)) return { level: 'debug', message: `${took}, was stopped` };
  if (failure) return { level: 'warn', message: `${took}, failed (${failure.class}): ${failure.message}` };
  return { level: 'info', message: took };
}

/** A step is no turn of the model. */
function toTurn({ turn, step }: TurnStart | TurnEnd): string {
  return step ? `step ${step}` : `turn ${turn}`;
}

/** Who asks, where it is not the session itself. */
function toStep({ step }: ModelStart | ModelEnd): string {
  return step ? `step ${step}: ` : '';
}

function nameOf({ namespace, trace, label, instance }: ToolStart | ToolEnd): string {
  const index = instance.slice(label.length);
  return `${shownName({ namespace, label, name: trace.toolName ?? label })}${index}`;
}

function describeEnding(ending: Ending, durationMs: number): Description {
  const ended = `session ended as ${ending.status} after ${durationMs} ms`;
  if (ending.status === 'failed')
    return { level: 'error', message: `${ended} (${ending.failure.class}): ${ending.failure.message}` };
  if (ending.status === 'needs_user_input') return { level: 'info', message: `${ended}: ${ending.question.text}` };
  if (ending.status === 'needs_client_tools')
    return { level: 'info', message: `${ended}: ${ending.calls.map(({ name }) => name).join(', ')}` };
  if (ending.status === 'partial') return { level: 'warn', message: `${ended}, limit ${ending.limit}` };
  return { level: 'info', message: ending.status === 'completed' && ending.isCached ? `${ended}, from cache` : ended };
}

/** ` in 3 requests` if more than one was sent. */
function inRequests({ modelCalls }: Totals): string {
  return modelCalls > 1 ? ` in ${modelCalls} requests` : '';
}
