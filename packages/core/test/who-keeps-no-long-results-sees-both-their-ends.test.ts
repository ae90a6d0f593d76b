// The promise: with toolOutput.enabled false a long result is cut to its two ends; nothing is kept, and nothing offered.

import { type Agent, defineAgent, defineTool, fail, MemoryOutputs, type ToolOutput } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const long = `begin ${'m'.repeat(9_000)} end`;

async function seen(output: () => ToolOutput, maxToolOutputBytes: number, toolOutput: Agent['toolOutput']) {
  const offered: string[][] = [];
  const kept: string[] = [];
  class Watched extends MemoryOutputs {
    override put(...given: Parameters<MemoryOutputs['put']>) {
      kept.push(given[1]);
      super.put(...given);
    }
  }
  const tool = defineTool({ name: 'big', inputSchema: { type: 'object' }, execute: output });
  const caller = agent(
    'lead',
    ({ messages, tools }) => {
      offered.push(tools.map(({ name }) => name));
      const last = messages.at(-1);
      return last?.role === 'tool' ? (last.content[0]?.text ?? '') : { calls: [{ name: 'big' }] };
    },
    { tools: [tool], limits: { maxToolOutputBytes }, ...(toolOutput ? { toolOutput } : {}) },
  );
  const { outcome } = await walk(caller, 'go', { ports: { ...fakePorts(), outputs: new Watched() } });
  expect(outcome.status).toBe('completed');
  return { text: outcome.text, offered, kept };
}

test('head and tail, a sentence between them, within the bound', async () => {
  const { text, offered, kept } = await seen(() => long, 1_024, { enabled: false });
  expect(text).toMatch(/^begin m+\n\n\[Cut here: of the 9010 bytes of this result, only .*\]\n\nm+ end$/);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_024);
  expect(offered).toEqual([['big'], ['big']]);
  expect(kept).toEqual([]);
});

test('512 bytes at least', async () => {
  const { text } = await seen(() => long, 256, { enabled: false });
  expect(Buffer.byteLength(text)).toBeGreaterThan(500);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(512);
});

test('failures too, and a result that fits is left alone', async () => {
  const failed = await seen(() => fail(long), 1_024, { enabled: false });
  expect(failed.text).toContain('Failed (tool): begin mmm');
  expect(failed.text).toContain('m end');
  expect(failed.kept).toEqual([]);
  const short = await seen(() => 'x'.repeat(1_024), 1_024, { enabled: false });
  expect(short.text).toBe('x'.repeat(1_024));
});

test('who says nothing of it, or only how it is read, keeps them', async () => {
  for (const toolOutput of [undefined, {}, { enabled: true }, { maxChunks: 3 }]) {
    const { text, offered, kept } = await seen(() => long, 1_024, toolOutput);
    expect(kept).toHaveLength(1);
    expect(text).toContain(`kept as "${kept[0]}"`);
    expect(offered[1]).toEqual(['big', 'tool_output']);
  }
});

test.each([
  [{ enabled: 'yes' }, 'toolOutput.enabled is "yes" and must be true or false'],
  [{ maxChunks: 0 }, 'toolOutput.maxChunks is 0 and must be a whole number from 1'],
  [{ overlapPercent: 51 }, 'toolOutput.overlapPercent is 51 and must be a number from 0 to 50'],
  [{ avgLineBytesThreshold: 0.5 }, 'toolOutput.avgLineBytesThreshold is 0.5 and must be a whole number from 1'],
  [{ models: [] }, 'toolOutput.models is missing; name one as provider/model'],
  [{ models: [7] }, 'toolOutput.models is 7 and must be provider/model'],
  [{ storeDir: '/x' }, 'toolOutput.storeDir is not known'],
  ['on', 'toolOutput is "on" and must be an object'],
])('%j is refused early', (toolOutput, message) => {
  expect(() => defineAgent({ ...agent('lead', []), toolOutput } as unknown as Agent)).toThrow(message);
});
