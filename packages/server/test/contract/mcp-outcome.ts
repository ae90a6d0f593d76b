// What the doors of the Model Context Protocol share: the house behind them, and the result of a tool as a client reads it, with what must be true of every one.

import { type Agent, type Clock, isObject, type Json, type JsonObject, MemoryPauses } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect } from 'vitest';
import { Hall } from '../../src/index.ts';
import { type ListedTool, revisions, type ToolResult } from '../support/mcp-clients.ts';
import type { Answered, Request } from './door.ts';

export function hallOf(agents: readonly Agent[]): Hall {
  const served = agents.map((agent) => ({ name: agent.name, agent }));
  return new Hall({ agents: () => served, ports: fakePorts({ pauses: new MemoryPauses(), clock }) });
}

/** Who was lost is waited for, and that is over some time. */
const clock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

/** What is asked as what a tool takes. */
export function toArguments({ input, schema }: Request): JsonObject {
  const words = typeof input === 'string' ? { text: input } : input;
  return { ...words, ...(schema ? { format: 'json', schema } : {}) } as JsonObject;
}

interface Told {
  readonly status: Answered['status'];
  readonly sessionId?: string;
  readonly limit?: string;
  readonly question?: { readonly text: string; readonly choices?: readonly string[] };
  readonly failure?: NonNullable<Answered['failure']>;
}

export interface Called extends Pick<ListedTool, 'outputSchema'> {
  readonly revision: string;
}

export function readResult(result: ToolResult, { outputSchema, revision }: Called): Answered {
  const told = result._meta?.['ai-agent/outcome'];
  expect(told, 'every result says for programs how the run ended').toBeDefined();
  const { status, sessionId = '', limit, question, failure } = told as Told;
  const said = readTexts(result, { isCutShort: status === 'partial' && !failure });
  const report = readReport(result, said, revision);
  const isWrong = failure !== undefined || (outputSchema !== undefined && report === undefined);
  expect(result.isError ?? false, 'an error is what failed, and data that is missing').toBe(isWrong);
  if (failure) for (const words of [failure.message, failure.remedy]) expect(said).toContain(words);
  if (question) expect(said).toContain(question.text);
  return {
    status,
    sessionId,
    text: failure || question ? '' : said,
    ...(report === undefined ? {} : { report }),
    ...(limit === undefined ? {} : { limit }),
    ...(question ? { question: [question.text, ...(question.choices ?? [])].join('\n') } : {}),
    ...(failure ? { failure } : {}),
  };
}

/** Once, and never nothing; behind what was cut off stands that it was. */
function readTexts({ content }: ToolResult, { isCutShort }: { readonly isCutShort: boolean }): string {
  const texts = content.map(({ text = '' }) => text);
  expect(texts, 'no text is empty').not.toContain('');
  const remark = isCutShort ? texts.pop() : undefined;
  expect(texts, 'the answer is said once').toHaveLength(1);
  const [said = ''] = texts;
  if (said !== '') expect(remark ?? '', 'a remark does not say it again').not.toContain(said);
  return said;
}

/** What is structured is what the text says; the older revision has what is no object inside of one. */
function readReport({ structuredContent }: ToolResult, said: string, revision: string): Json | undefined {
  if (structuredContent === undefined) return undefined;
  const report = JSON.parse(said) as Json;
  const isInside = revision === revisions.older && !isObject(report);
  expect(structuredContent).toEqual(isInside ? { result: report } : report);
  return report;
}
