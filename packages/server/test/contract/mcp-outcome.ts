// The result of a tool as a client reads it, and what must be true of every one of them.

import type { Json } from '@ai-agent/core';
import { expect } from 'vitest';
import type { ListedTool, ToolResult } from '../support/mcp-clients.ts';
import type { Answered } from './door.ts';

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
  const texts = result.content.map(({ text = '' }) => text);
  const [said = ''] = texts;
  const isAnswer = status === 'completed' || status === 'partial';
  const report = readReport(result, said);
  expect(said, 'text is always there').not.toBe('');
  expect(texts, 'the answer is said once, and only a partial one is remarked on').toHaveLength(
    status === 'partial' ? 2 : 1,
  );
  expect(texts[1] ?? '', 'the remark does not say it again').not.toContain(said);
  const lacksData = outputSchema !== undefined && report === undefined;
  expect(result.isError ?? false, 'an error is what failed, and data that is missing').toBe(
    status === 'failed' || status === 'cancelled' || lacksData,
  );
  if (failure) for (const words of [failure.message, failure.remedy]) expect(said).toContain(words);
  return {
    status,
    sessionId,
    text: isAnswer ? said : '',
    ...(report === undefined ? {} : { report }),
    ...(limit === undefined ? {} : { limit }),
    ...(question ? { question: [question.text, ...(question.choices ?? [])].join('\n') } : {}),
    ...(failure ? { failure } : {}),
  };
}

/** What is structured is what the text says; the older revision has it inside of an object where it is none. */
function readReport({ structuredContent }: ToolResult, said: string): Json | undefined {
  if (structuredContent === undefined) return undefined;
  const report = JSON.parse(said) as Json;
  expect([report, { result: report }]).toContainEqual(structuredContent);
  return report;
}
