// A server that asks for something in the middle of a call: the person who answers for the run is asked.

import { isAgentError, isObject, type Json, type JsonSchema, oneLine, type ToolContext } from '@ai-agent/core';
import type { ElicitRequestFormParams, ElicitRequestURLParams, ElicitResult } from '@modelcontextprotocol/client';
import type { Calls } from './calls.ts';
import { isUsable } from './input-schema.ts';
import type { Answers } from './link.ts';
import { until } from './until.ts';

const maxMessageLength = 4_000;

type Elicit = NonNullable<Answers['elicit']>;

export function toElicit(server: string, calls: Calls): Elicit {
  return async (params, signal) => {
    signal.throwIfAborted();
    // A server that is gone, or has thought better of it, is not waited for: nor does its call wait for the person.
    const answer = await calls.ask((call) =>
      until(params.mode === 'url' ? askForVisit(server, params, call) : askForForm(server, params, call), signal),
    );
    // Only during a call there is somebody whose question it could be.
    return answer ?? { action: 'cancel' };
  };
}

async function askForForm(server: string, params: ElicitRequestFormParams, call: ToolContext): Promise<ElicitResult> {
  const requested: JsonSchema = params.requestedSchema;
  const text = `The server ${server} asks: ${params.message.slice(0, maxMessageLength)}`;
  const answer = await answerOf(call, { text, schema: toAsked(requested) });
  if (!isObject(answer)) return { action: answer === declined ? 'decline' : 'cancel' };
  return { action: 'accept', content: withDefaults(requested, answer) as NonNullable<ElicitResult['content']> };
}

async function askForVisit(server: string, params: ElicitRequestURLParams, call: ToolContext): Promise<ElicitResult> {
  // Anything else could start a program of the person who follows it.
  if (!/^https?:\/\//i.test(params.url)) return { action: 'decline' };
  const text = `The server ${server} asks you to open a page: ${params.message.slice(0, maxMessageLength)}\n${oneLine(params.url)}`;
  const answer = await answerOf(call, { text, choices: ['done', 'decline'] });
  if (answer === 'done') return { action: 'accept' };
  return { action: answer === undefined ? 'cancel' : 'decline' };
}

const declined = Symbol('declined');

/** Nothing when nobody is there, or nothing that fits was said; `declined` when the person would not. */
async function answerOf(
  call: ToolContext,
  question: Parameters<ToolContext['ask']>[0],
): Promise<Json | symbol | undefined> {
  try {
    return await call.ask(question);
  } catch (error) {
    call.signal.throwIfAborted();
    const cause = isAgentError(error) ? error.cause : undefined;
    return isAgentError(cause) && cause.code === 'answer-invalid' ? undefined : declined;
  }
}

/** What has a default may be left out. A form that nobody can check is left to the server. */
function toAsked(requested: JsonSchema): JsonSchema {
  const defaults = defaultsOf(requested);
  const required = Array.isArray(requested.required) ? requested.required : [];
  const asked = { ...requested, required: required.filter((name) => !Object.hasOwn(defaults, String(name))) };
  return isUsable(asked) ? asked : { type: 'object' };
}

function withDefaults(requested: JsonSchema, answer: Record<string, unknown>): Record<string, unknown> {
  return { ...defaultsOf(requested), ...answer };
}

function defaultsOf({ properties }: JsonSchema): Record<string, unknown> {
  const fields = Object.entries(isObject(properties) ? properties : {});
  return Object.fromEntries(
    fields.flatMap(([name, field]) =>
      isObject(field) && field.default !== undefined ? [[name, field.default] as const] : [],
    ),
  );
}
