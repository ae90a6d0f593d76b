// The promise: every key in every spelling means what its author meant, down to the agent that core runs.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, ModelRef } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { type LoadedAgent, options, SubagentRegistry } from '../src/index.ts';
import { type KeyFixture, keyFixtures, keysFolder, namedFixtures } from './support/key-fixtures.ts';
import { toWorld } from './support/world.ts';

async function check({ file, folder }: KeyFixture) {
  const registry = await SubagentRegistry.load([join(keysFolder, file)], toWorld(folder, { purpose: 'check' }));
  expect(registry.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const [loaded] = registry.agents;
  if (!loaded) throw new Error(`${file} was not loaded`);
  return { loaded, problems: registry.problems.filter((problem) => problem.file.endsWith(file)) };
}

test.each(namedFixtures)('%s says what its author wrote', async (_, fixture) => {
  const { effective } = (await check(fixture)).loaded;
  const said = options.flatMap(({ key }) => {
    const found = effective.said(key);
    return found ? [[key, found.value]] : [];
  });
  expect(Object.fromEntries(said)).toEqual(fixture.said);
});

test.each(namedFixtures)('%s holds what it says, and the defaults for the rest', async (_, fixture) => {
  const { effective } = (await check(fixture)).loaded;
  for (const option of options) {
    const isSaid = Object.hasOwn(fixture.said, option.key);
    expect([option.key, effective.value(option)]).toEqual([
      option.key,
      isSaid ? fixture.said[option.key] : option.default,
    ]);
  }
});

test.each(namedFixtures)('%s becomes an agent with these fields and no others', async (_, fixture) => {
  const { loaded } = await check(fixture);
  const { instructions, model, tools = [], plugins = [], toolOutput, cache, ...rest } = loaded.agent;
  const { advisors, router, handoff, id, path, team, ...fields } = rest;
  // These come from where the file is, and not from what it says.
  expect(path).toBe(fields.name);
  expect(id).toMatch(/^[\da-f]{16}$/);
  expect(team).toMatch(/^[\da-f]{8}$/);
  const readers = toolOutput?.models && { models: toolOutput.models.map(nameOf) };
  const all = {
    ...fields,
    ...(toolOutput ? { toolOutput: { ...toolOutput, ...readers } } : {}),
    // What tells one version of a file from another is nobody's to write down.
    ...(cache ? { cache: { ttlMs: cache.ttlMs } } : {}),
  };
  expect(all).toEqual(fixture.agent);
  const partners = Object.entries({ advisors, router: router?.destinations, handoff }).flatMap(([field, list]) =>
    list ? [[field, list.map(({ label }) => label)]] : [],
  );
  expect(Object.fromEntries(partners)).toEqual(fixture.partners ?? {});
  expect((model as readonly ModelRef[]).map(nameOf)).toEqual(fixture.models ?? ['openai + gpt-5']);
  expect(tools.flatMap((tool) => ('name' in tool ? [tool.name] : []))).toEqual(fixture.tools ?? []);
  expect(tools.filter((tool) => !('name' in tool))).toHaveLength(fixture.sources ?? 0);
  expect(plugins.map(({ name }) => name)).toEqual(fixture.plugins ?? []);
  expect(loaded.usage).toBe(fixture.said.usage);
  if (fixture.prompt !== undefined) expect(render(loaded, instructions)).toBe(fixture.prompt);
});

test.each(namedFixtures)(
  '%s is warned of for what is idle and what is missing, and for nothing else',
  async (_, fixture) => {
    const { problems } = await check(fixture);
    const expected = [
      ...(fixture.warnings ?? []),
      ...(Object.hasOwn(fixture.said, 'usage') ? [] : ['usage-missing usage']),
      ...(Object.hasOwn(fixture.said, 'description') ? [] : ['description-missing description']),
      ...(Object.hasOwn(fixture.said, 'output') ? [] : ['output-missing output']),
    ];
    expect(problems.map(({ code, key }) => (key === undefined ? code : `${code} ${key}`)).sort()).toEqual(
      expected.sort(),
    );
  },
);

test.each(namedFixtures)('%s runs', async (_, fixture) => {
  const { agents, problems } = await SubagentRegistry.load([join(keysFolder, fixture.file)], toWorld(fixture.folder));
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(agents).toHaveLength(1);
});

test('the fixtures are what they are called', () => {
  const bytesOf = (file: string) => readFileSync(join(keysFolder, file), 'utf8');
  expect(bytesOf('crlf.ai')).toMatch(/^\uFEFF#!.*\r\n---\r\n/);
  expect(bytesOf('crlf-no-last-newline.ai')).toMatch(/\r\n---$/);
  expect(bytesOf('no-last-newline.ai')).toMatch(/[^\r]\n---$/);
  expect(keyFixtures.filter(({ file }) => file === '')).toEqual([]);
});

function nameOf(ref: ModelRef): string {
  return typeof ref === 'string' ? ref : `${ref.provider} + ${ref.model}`;
}

function render({ agent }: LoadedAgent, instructions: Agent['instructions']): string {
  if (typeof instructions === 'string') return instructions;
  return instructions({ now: 0, env: {}, output: agent.output ?? { format: 'text' } });
}
