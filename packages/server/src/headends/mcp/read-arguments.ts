// The arguments of a call, read: what is asked, and in which form the answer is wanted.

import { AgentError, inputFailure, isObject, type Json, type JsonObject, toPrompt } from '@ai-agent/core';
import type { Asked } from '../../asked.ts';
import { checkWords } from '../../check-input.ts';
import { checkWish } from '../../check-wish.ts';
import { asWritable } from '../../parse-json.ts';
import { readOutput } from '../../read-output.ts';
import type { AgentAsTool } from './tools.ts';

export type CallArguments =
  /** A further message of a session, or the first of a new one. */
  | (Pick<Asked, 'prompt' | 'output'> & { readonly session?: string })
  /** Nothing is asked: a question is answered. */
  | { readonly resume: string; readonly answer: Json };

/** Throws `request-invalid` and `session-input-invalid`. */
export function readArguments(tool: AgentAsTool, sent: Readonly<Record<string, unknown>> = {}): CallArguments {
  const all = asWritable(sent as JsonObject);
  const { resume, ...said } = all;
  const answer = tool.hasAnswer ? undefined : all.answer;
  if (typeof resume === 'string' && answer !== undefined) return { resume, answer };
  if (resume !== undefined && typeof resume !== 'string') throw wrongResume('resume must be text.');
  const { args, prompt: data, format, schema } = tool.input.read(said);
  const isJson = tool.served.agent.input?.format === 'json';
  const prompt = isJson ? readData(tool, args, data) : readWords(args, resume);
  if (schema !== undefined && tool.output.format === 'json')
    throw new AgentError('request-invalid', 'This agent has a contract for its answer: no schema can be sent.');
  const { output } = readOutput({ format, schema }, tool.output);
  return { prompt, ...(output ? { output } : {}), ...(resume === undefined ? {} : { session: resume }) };
}

/** What is asked in words: as `text`, or `prompt`, which is the same; as data in `json`, or whatever else there is. */
function readWords(args: JsonObject, resume: string | undefined): string {
  const { answer, ...said } = args;
  if (answer !== undefined) throw wrongResume('answer comes without resume.');
  const { prompt, ...others } = said;
  const words = prompt === said.text ? others : said;
  checkWish(words, { words: ['text', 'prompt', 'json'], beside: ['format', 'schema', 'resume', 'answer'] });
  const text = toPrompt(words);
  if (text.trim() !== '') return text;
  if (resume !== undefined) throw wrongResume('resume comes without text, and without answer.');
  throw new AgentError('request-invalid', 'text is missing or empty: it is what you ask.', {
    remedy: 'Call it again with text.',
  });
}

function wrongResume(message: string): AgentError {
  return new AgentError('request-invalid', message, {
    remedy: 'Send resume, the id of a session, with text to go on with it, or with answer to answer its question.',
  });
}

/** What is asked as data, as REST has it. Where that has a name, who leaves it out has not said that it is nothing. */
function readData({ served, listed }: AgentAsTool, args: JsonObject, data: string): string | JsonObject {
  const [name = 'input'] = listed.inputSchema.required ?? [];
  if (data === 'null' && !Object.hasOwn(args, name))
    throw new AgentError('request-invalid', `${name} is missing: it is what you ask.`);
  checkWords(served, data);
  const failure = inputFailure(served.agent, data);
  if (failure) throw new AgentError(failure.code, failure.message);
  const value = JSON.parse(data) as Json;
  return isObject(value) ? (value as JsonObject) : data;
}
