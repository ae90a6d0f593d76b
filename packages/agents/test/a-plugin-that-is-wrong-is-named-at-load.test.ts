// The promise: a plugin is imported when its agent is loaded, and whatever is wrong with it is told then, with file and key.

import { ask, type ReportCompletion } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { Problems } from '../src/problem.ts';
import { readDraft } from '../src/read-draft.ts';
import { agentFile, childFile, loadFiles, toWorld } from './support/world.ts';

const moduleOf = (fields: string) => `export default () => ({ ${fields} });\n`;
const requirements = "schema: { type: 'object' }, systemPromptInstructions: 'Say it.'";
const rest = `getRequirements: () => ({ ${requirements} }), onComplete() {}`;
const good = moduleOf(`name: 'good', ${rest}`);
const requiring = (given: string) => moduleOf(`name: 'a', getRequirements: () => (${given}), onComplete() {}`);
const name = 'its name must be 1 to 128 letters, digits, dots, dashes or underscores';

test.each<[string, string | undefined, string, string?]>([
  ['missing', undefined, 'there is no plugin at p.js', 'file-missing'],
  ['no JavaScript', 'export default (=>', 'p.js: cannot be imported: '],
  ['throws when imported', "throw new TypeError('too bad');", 'p.js:1: cannot be imported: too bad'],
  ['no default export', 'export const plugin = 1;', 'p.js: has no default export; export a function'],
  ['a class', 'export default class Plugin {}', 'p.js: exports a class; export a function that gives the plugin, or'],
  [
    'a factory that throws',
    "export default () => { throw new TypeError('no'); };",
    'its default export, called, failed: no',
  ],
  ['a factory that gives nothing', 'export default () => {};', 'p.js: gives no plugin: an object with name'],
  ['no name', moduleOf(rest), `p.js: ${name}`],
  ['a name that breaks its tag', moduleOf(`name: 'a">', ${rest}`), `p.js: ${name}`],
  ['no getRequirements', moduleOf("name: 'a', onComplete() {}"), 'p.js: has no function getRequirements'],
  ['no onComplete', moduleOf("name: 'a', getRequirements() {}"), 'p.js: has no function onComplete'],
  [
    'requirements that reject',
    requiring("Promise.reject(new TypeError('later'))"),
    'p.js:1: getRequirements failed: later',
  ],
  ['no requirements', requiring('undefined'), 'p.js: getRequirements gives no object'],
  ['no instructions', requiring('{ schema: {} }'), 'systemPromptInstructions of its requirements is missing'],
  [
    'a snippet that is no text',
    requiring(`{ ${requirements}, xmlNextSnippet: 1 }`),
    'xmlNextSnippet of its requirements must',
  ],
  ['no schema', requiring("{ systemPromptInstructions: '' }"), 'schema of its requirements must be a JSON Schema'],
  [
    'a schema that is none',
    requiring("{ schema: { type: 'thing' }, systemPromptInstructions: '' }"),
    'p.js: schema of its requirements is not a valid JSON Schema: type must be equal to one of the allowed values',
    'schema-invalid',
  ],
])('%s', async (_, text, message, code = 'plugin-invalid') => {
  const files = {
    'desk.ai': agentFile('plugins: [p.js, good.js]'),
    'good.js': good,
    ...(text === undefined ? {} : { 'p.js': text }),
  };
  for (const purpose of ['run', 'check'] as const) {
    const { agents, problems } = await loadFiles(files, ['desk.ai'], { purpose });
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors).toMatchObject([{ code, file: 'desk.ai', line: 3, key: 'plugins' }]);
    expect(errors[0]?.message).toContain(message);
    expect(agents).toEqual([]);
  }
});

test('two of one name, a file of another kind, and both told at once', async () => {
  const files = { 'desk.ai': agentFile('plugins: [good.js, b/good.mjs, x.json]'), 'good.js': good, 'b/good.mjs': good };
  const { problems } = await loadFiles(files, ['desk.ai']);
  expect(problems.map(({ message }) => message)).toEqual([
    'found x.json; a plugin is a file that ends with .js, .mjs, .ts or .mts',
    'good.js and b/good.mjs both give a plugin called good',
  ]);
});

test('a factory may be async, the plugin itself may be exported, and a class keeps its own', async () => {
  const own = `export default new (class {
    name = 'own';
    words = 'Mind NONCE.';
    async getRequirements() {
      return { schema: {}, systemPromptInstructions: this.words, xmlNextSnippet: 'again', finalReportExampleSnippet: 'so' };
    }
    onComplete() {}
  })();`;
  const later = good.replace('() =>', 'async () =>');
  const files = { 'a/desk.ai': agentFile('plugins: ../own.mjs, later.ts'), 'own.mjs': own, 'a/later.ts': later };
  const { agents, problems } = await loadFiles(files, ['a/desk.ai']);
  expect(problems).toEqual([]);
  expect(agents[0]?.agent.plugins).toMatchObject([
    { name: 'own', requirements: { schema: {}, instructions: 'Mind NONCE.', reminder: 'again', example: 'so' } },
    { name: 'good', requirements: { instructions: 'Say it.' } },
  ]);
});

test('help runs no code of a plugin', async () => {
  const files = { 'desk.ai': agentFile('plugins: p.js'), 'p.js': "throw new TypeError('ran');" };
  expect((await loadFiles(files, ['desk.ai'], { purpose: 'help' })).problems).toEqual([]);
});

test('what the files say is on the draft, for whoever has to know whether an agent changed', async () => {
  const { folder, agents } = await loadFiles({ 'desk.ai': agentFile('plugins: good.js'), 'good.js': good }, [
    'desk.ai',
  ]);
  const { configuration } = agents[0] as (typeof agents)[number];
  const reading = { world: toWorld(folder), configuration, problems: new Problems(), isTop: true };
  const draft = readDraft(`${folder}/desk.ai`, reading);
  expect(draft?.pluginFiles).toEqual([{ name: 'good.js', path: `${folder}/good.js`, text: good }]);
});

test('a plugin starts a run of an agent file by its path, which begins where its agent is', async () => {
  const heard: ReportCompletion[] = [];
  Object.assign(globalThis, { heard });
  const files = {
    'a/desk.ai': agentFile('plugins: p.js'),
    'a/p.js': `export default { name: 'p', getRequirements: () => ({ ${requirements} }), async onComplete(told) {
      globalThis.heard.push(told, await told.createSession('../other.ai', 'go'));
      await told.createSession('nobody.ai', 'go').catch((error) => globalThis.heard.push(error.code));
    } };`,
    'other.ai': childFile(),
  };
  const { agents } = await loadFiles(files, ['a/desk.ai']);
  const [loaded] = agents;
  if (!loaded) throw new Error('not loaded');
  const works: Promise<string | undefined>[] = [];
  const ports = fakePorts({ plugins: ({ done }) => works.push(done) });
  await ask(loaded.agent, 'hello', { ...loaded.session, ports });
  expect(await Promise.all(works)).toEqual([undefined]);
  expect(heard).toMatchObject([
    { agentId: 'desk', problems: ['it is missing'] },
    { status: 'completed', text: expect.stringContaining('openai/gpt-5') },
    'file-missing',
  ]);
});
