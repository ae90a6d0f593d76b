import { expect, test } from 'vitest';
import { toFilter } from '../src/mcp/filter.ts';
import { fakeServer, openSource } from './support/fake-server.ts';
import { everything, started } from './support/servers.ts';
import { walkWith } from './support/walk-with.ts';

const tools = ['read_file', 'read_dir', 'write_file', 'Delete'];

test.each([
  ['nothing said', {}, tools],
  ['all by a star', { toolsAllowed: ['*'] }, tools],
  ['all by a word', { toolsAllowed: ['Any'] }, tools],
  ['none', { toolsAllowed: [] }, []],
  ['a pattern', { toolsAllowed: ['read_*'] }, ['read_file', 'read_dir']],
  ['a name in another case', { toolsAllowed: ['READ_FILE', 'delete'] }, ['read_file', 'Delete']],
  ['the name that models see', { toolsAllowed: ['files__read_*'] }, ['read_file', 'read_dir']],
  ['some less others', { toolsAllowed: ['*_file'], toolsDenied: ['write_*'] }, ['read_file']],
  ['all denied', { toolsDenied: ['any'] }, []],
])('%s', (_, filter, expected) => {
  expect(tools.filter(toFilter('files', filter))).toEqual(expected);
});

test('the configuration of a server and the wishes of an agent both narrow what a session gets', async () => {
  const walked = await walkWith({
    server: 'every',
    config: { ...started(everything), toolsAllowed: ['get-*', 'echo'], toolsDenied: ['every__get-r*'] },
    setUp: { isWanted: (names) => !names.includes('every__get-env') },
    script: ['done'],
  });
  expect(walked.tools.map(({ name }) => name).sort()).toEqual([
    'every__echo',
    'every__get-annotated-message',
    'every__get-structured-content',
    'every__get-sum',
    'every__get-tiny-image',
  ]);
});

test('a server that is switched off is not started', async () => {
  const { outcome, tools: offered } = await walkWith({
    server: 'off',
    config: { command: 'no-such-command-anywhere', enabled: false },
    script: ['done'],
  });
  expect(outcome.status).toBe('completed');
  expect(offered).toEqual([]);
});

test.each([
  ['a name that is misspelled', { toolsAllowed: ['serch'] }],
  ['all denied', { toolsDenied: ['*'] }],
])('%s leaves nothing, and the agent does not go on without', async (_, filter) => {
  const server = fakeServer({ tools: [{ name: 'search' }, { name: 'fetch' }] });
  const listing = openSource(server, { command: 'x', ...filter }).list();
  await expect(listing).rejects.toMatchObject({ code: 'tool-source-failed', class: 'config' });
  await expect(listing).rejects.toThrow('mcpServers.fake allows and denies leaves none of its 2 tools: search, fetch.');
});

test('a server that has no tools is fine, whatever is allowed of them', async () => {
  const server = fakeServer({ tools: [] });
  expect(await openSource(server, { command: 'x', toolsAllowed: ['search'] }).list()).toEqual([]);
});
