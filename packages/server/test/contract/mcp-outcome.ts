// The result of a tool as a client reads it, and what must be true of every one of them.

import type { Json, JsonObject } from '@ai-agent/core';
import { expect } from 'vitest';
import type { ListedTool, ToolResult } from '../support/mcp-clients.ts';
import type { Answered, Request } from './door.ts';

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

export function readResult(result: ToolResult, { outputSchema }: ListedTool): Answered {
  const told = result._meta?.['ai-agent/outcome'];
  expect(told, 'every result says for programs how the run ended').toBeDefined();
  const { status, sessionId = '', limit, question, failure } = told as Told;
  const said = readTexts(result, status);
  const report = readReport(result, said);
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

/** Once, and never nothing; behind what was cut off stands that it was, and what was cut off may have been silent. */
function readTexts({ content }: ToolResult, status: Answered['status']): string {
  const texts = content.map(({ text = '' }) => text);
  expect(texts, 'no text is empty').not.toContain('');
  const isPartial = status === 'partial';
  const remark = isPartial ? texts.pop() : undefined;
  expect(isPartial ? [0, 1] : [1], 'the answer is said once').toContain(texts.length);
  const [said = ''] = texts;
  if (said !== '') expect(remark ?? '', 'a remark does not say it again').not.toContain(said);
  return said;
}

/** What is structured is what the text says; the older revision has it inside of an object where it is none. */
function readReport({ structuredContent }: ToolResult, said: string): Json | undefined {
  if (structuredContent === undefined) return undefined;
  const report = JSON.parse(said) as Json;
  expect([report, { result: report }]).toContainEqual(structuredContent);
  return report;
}
