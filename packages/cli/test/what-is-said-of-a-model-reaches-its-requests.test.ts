// The promise: what a file, a flag, an override or a default says of thinking, streaming and windows is what a provider is sent.

import { describe, expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { completion, listening, streamed } from './support/served.ts';

interface Sent {
  readonly stream?: boolean;
  readonly reasoning_effort?: string;
  readonly max_tokens?: number;
}

interface Setting {
  readonly lines?: readonly string[];
  readonly args?: readonly string[];
  readonly config?: object;
  readonly model?: object;
  readonly prompt?: string;
}

/** What arrives at the provider when a file with these lines is run. */
async function sentBy({ lines = [], args = [], config = {}, model = {}, prompt = 'hello' }: Setting): Promise<Sent> {
  const { url, heard } = await listening(({ body }, response) =>
    JSON.parse(body).stream ? streamed(response, ['fine']) : completion(response, 'fine'),
  );
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', ...lines]),
    '.ai-agent.json': { ...localProvider(`${url}/v1`, { models: { m: model } }), ...config },
  });
  const { code, stderr } = await run(['desk.ai', '--json', ...args, prompt], { cwd });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(heard[0]?.body ?? '{}');
}

describe('how hard it thinks', () => {
  test.each<[string, Setting, string | undefined]>([
    ['nothing is sent when nobody says', {}, undefined],
    ['in the file', { lines: ['reasoning: high'] }, 'high'],
    ['as a flag', { lines: ['reasoning: high'], args: ['--reasoning', 'low'] }, 'low'],
    ['for all', { lines: ['reasoning: high'], args: ['--override', 'reasoning=medium'] }, 'medium'],
    ['by default', { config: { defaults: { reasoning: 'low' } } }, 'low'],
    [
      'left to the provider after all',
      { lines: ['reasoning: default'], config: { defaults: { reasoning: 'low' } } },
      undefined,
    ],
    ['never, where the model takes none', { lines: ['reasoning: high'], model: { reasoning: null } }, undefined],
  ])('%s', async (_, setting, effort) => {
    expect((await sentBy(setting)).reasoning_effort).toBe(effort);
  });
});

describe('whether it streams', () => {
  test.each<[string, Setting, boolean]>([
    ['for all', { args: ['--override', 'stream=true'] }, true],
    ['by default', { config: { defaults: { stream: true } } }, true],
    ['not, by default', { config: { defaults: { stream: false } } }, false],
    [
      'for all, against the default',
      { config: { defaults: { stream: true } }, args: ['--override', 'stream=false'] },
      false,
    ],
  ])('%s', async (_, setting, isStreamed) => {
    expect((await sentBy(setting)).stream ?? false).toBe(isStreamed);
  });
});

describe('how long a conversation may be', () => {
  // What is asked for is no more than what is left of the window.
  const asked = async (setting: Setting) =>
    (await sentBy({ lines: ['maxOutputTokens: 16000'], ...setting })).max_tokens ?? 0;

  test.each<[string, Setting, number]>([
    ['as long as usual', {}, 16_000],
    ['by the model', { model: { contextWindow: 4_096 } }, 4_096],
    [
      'for all, above the model',
      { model: { contextWindow: 4_096 }, args: ['--override', 'contextWindow=2048'] },
      2_048,
    ],
    ['for all, below it too', { model: { contextWindow: 2_048 }, args: ['--override', 'contextWindow=9000'] }, 9_000],
  ])('%s', async (_, setting, window) => {
    const tokens = await asked(setting);
    expect(tokens).toBeLessThanOrEqual(window);
    expect(tokens).toBeGreaterThan(window - 600);
  });
});
