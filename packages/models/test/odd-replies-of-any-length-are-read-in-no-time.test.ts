// Models write megabytes of anything: a reply is read in time that grows with its length alone, and never fails for its form.

import { userMessage } from '@ai-agent/core';
import { expect, test, vi } from 'vitest';
import { call, hear, text, told } from './support/saying.ts';

/** What this thread has worked: others may need the machine meanwhile. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

const size = 1_000_000;
/** Many times what it takes, on a busy machine too; what is not linear takes minutes. */
const enoughMs = 4000;
vi.setConfig({ testTimeout: 30_000 });

const fill = (pattern: string) => pattern.repeat(Math.ceil(size / pattern.length)).slice(0, size);

const patterns = [
  '<',
  '{',
  '[',
  '`',
  '```\n',
  '\n',
  ' ',
  '<think>',
  '</think>\n',
  '<tool_call>',
  '<tool_call>{',
  '<tool_call>{"name":"search","arguments":{"q":"',
  '<tool_call>\n{"name":"find","arguments":{}}\n</tool_call>\n',
  '<function=search><parameter=q>',
  '<function=search><parameter=q>a</parameter>',
  '<invoke name="search">',
  '<invoke name="search"><parameters>',
  '<invoke><tool_name>search</tool_name>',
  '<tool_call><name>search</name><input>',
  '<search>\n',
  '<search>{',
  '<tools><tools>',
  '[TOOL_CALLS]',
  '[TOOL_CALLS]search{"q":',
  '<|tool_call_begin|>search',
  '<｜tool▁calls▁begin｜>',
  '{"name":',
  '{"name":"search","arguments":{"q":"a"}}',
  "{'a':[1,],",
  '"',
  "'",
  '\\',
  '/*',
  'a < b [1] ',
  '"\n',
  '<a>\n',
  '<a ',
  '<a b=',
  '<!-- ',
  '- a\n',
  'a:\n',
  '**',
  '&lt;',
  '"name":',
  '"name":"a",',
  '<think> ',
];

test.each(patterns)('a megabyte of %j, whole', async (pattern) => {
  const words = fill(pattern);
  const started = workedMs();
  const heard = await hear({ content: [text(words)] });
  expect(workedMs() - started).toBeLessThan(enoughMs);
  expect(heard.calls).toEqual([]);
});

test.each(patterns)('a megabyte of %j, streamed', async (pattern) => {
  const words = fill(pattern);
  const started = workedMs();
  const { deltas, text: rest, thought } = await hear({ content: [text(words)] }, {}, 50);
  expect(workedMs() - started).toBeLessThan(enoughMs);
  const heard = told(deltas, 'text').length + told(deltas, 'reasoning').length;
  expect(heard).toBeGreaterThanOrEqual(rest.length + thought.length);
});

test.each(patterns)('a megabyte of %j as arguments', async (pattern) => {
  const words = fill(pattern);
  for (const input of [words, `{"q":"x","tags":[${words}`, `{'q':'x','where':"${words.slice(0, 200_000)}",}`]) {
    const started = workedMs();
    await hear({ content: [call(input)] });
    expect(workedMs() - started).toBeLessThan(enoughMs);
  }
});

test('many calls in one text are all found', async () => {
  const leak = '<tool_call>{"name":"search","arguments":{"q":"tea"}}</tool_call>\n';
  const started = workedMs();
  const { calls } = await hear({ content: [text(leak.repeat(5000))] }, {}, 100);
  expect(calls).toHaveLength(5000);
  expect(workedMs() - started).toBeLessThan(enoughMs);
});

test('many values in one call are all read', async () => {
  const one = '{"name":"search","arguments":{"q":"tea"}}';
  const started = workedMs();
  for (const system of ['You answer.', `Write <tool_call>.${' Be brief.'.repeat(2000)}`]) {
    const { calls } = await hear({ content: [text(`<tool_call>${one.repeat(20_000)}</tool_call>`)] }, { system });
    expect(calls).toHaveLength(20_000);
  }
  expect(workedMs() - started).toBeLessThan(enoughMs);
});

test.each(patterns)('a megabyte of %j in the conversation', async (pattern) => {
  const started = workedMs();
  await hear({ content: [text('Yes.')] }, { system: fill(pattern), messages: [userMessage(fill(pattern))] });
  expect(workedMs() - started).toBeLessThan(enoughMs);
});
