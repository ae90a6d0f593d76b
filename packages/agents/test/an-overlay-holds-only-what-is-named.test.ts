// The overlay of a session is the union of the variables of its own entries, each with the value its layer gives it.

import { expect, test } from 'vitest';
import type { Entry } from '../src/config/entry.ts';
import { toOverlay } from '../src/config/overlay.ts';
import { openFolder } from './config-folders.ts';

const present = (entries: readonly (Entry | undefined)[]) => entries.filter((entry) => entry !== undefined);

test('it has the variables of its entries and no others, and cannot be changed', async () => {
  const { configuration } = await openFolder(
    {
      'cwd/.ai-agent.json': {
        providers: {
          house: { apiKey: `\${HOUSE_KEY}`, baseUrl: `https://\${HOST}/v1` },
          other: { apiKey: `\${OTHER}` },
        },
        mcpServers: { files: { env: { TOKEN: `\${TOKEN}`, HOST: `\${HOST}` } }, mail: { env: { MAIL: `\${MAIL}` } } },
      },
      'cwd/.ai-agent.env': 'HOUSE_KEY=1\nOTHER=2\nUNUSED=3',
    },
    { environment: { HOST: 'h', TOKEN: 't', MAIL: 'm', PATH: '/bin', HOME: '/root' } },
  );
  const entries = present([configuration.entry('providers', 'house'), configuration.entry('mcpServers', 'files')]);
  const made = toOverlay(entries);
  expect(made.overlay).toEqual({ HOUSE_KEY: '1', HOST: 'h', TOKEN: 't' });
  expect(Object.isFrozen(made.overlay)).toBe(true);
  expect(made.entries).toEqual(entries);
  expect(toOverlay([]).overlay).toEqual({});
});

test('where layers disagree on a variable, both values hold: the later entry names its own anew', async () => {
  const entry = (name: string) => ({
    providers: { [name]: { apiKey: `\${KEY}`, headers: { a: [`\${KEY} \${TEAM}`] } } },
  });
  const { configuration } = await openFolder(
    {
      'cwd/.ai-agent.json': entry('one'),
      'cwd/.ai-agent.env': 'KEY=first',
      'agent/.ai-agent.json': entry('two'),
      'agent/.ai-agent.env': 'KEY=second',
      'home/.ai-agent/ai-agent.json': entry('three'),
      'home/.ai-agent/ai-agent.env': 'KEY=second',
      'etc/ai-agent.json': { providers: { four: { apiKey: `\${KEY}`, baseUrl: `\${KEY__2}` } } },
      'etc/ai-agent.env': 'KEY=third',
    },
    { environment: { TEAM: 't', KEY__2: 'taken' } },
  );
  const given = present(['one', 'two', 'three', 'four'].map((name) => configuration.entry('providers', name)));
  const before = structuredClone(given);
  const { overlay, entries } = toOverlay(given);
  expect(overlay).toEqual({ KEY: 'first', TEAM: 't', KEY__2: 'taken', KEY__3: 'second', KEY__4: 'third' });
  expect(entries.map(({ value }) => value)).toEqual([
    { apiKey: `\${KEY}`, headers: { a: [`\${KEY} \${TEAM}`] } },
    { apiKey: `\${KEY__3}`, headers: { a: [`\${KEY__3} \${TEAM}`] } },
    { apiKey: `\${KEY__3}`, headers: { a: [`\${KEY__3} \${TEAM}`] } },
    { apiKey: `\${KEY__4}`, baseUrl: `\${KEY__2}` },
  ]);
  expect(entries.map(({ variables }) => variables)).toEqual([
    { KEY: 'first', TEAM: 't' },
    { KEY__3: 'second', TEAM: 't' },
    { KEY__3: 'second', TEAM: 't' },
    { KEY__4: 'third', KEY__2: 'taken' },
  ]);
  expect(entries[1]?.at.value).toEqual(entries[1]?.value);
  expect(entries[1]?.at.fields?.get('apiKey')).toEqual({ line: 4, at: { line: 4, value: `\${KEY__3}` } });
  expect(entries[1]?.at.fields?.get('headers')?.at.fields?.get('a')?.at.items?.[0]?.value).toBe(`\${KEY__3} \${TEAM}`);
  expect(given).toEqual(before);
});

test('an invented name is never that of a variable somebody misses', async () => {
  const { configuration } = await openFolder({
    'cwd/.ai-agent.json': { providers: { one: { apiKey: `\${KEY}` }, lost: { apiKey: `\${KEY__2}` } } },
    'cwd/.ai-agent.env': 'KEY=first',
    'agent/.ai-agent.json': { providers: { two: { apiKey: `\${KEY}` } } },
    'agent/.ai-agent.env': 'KEY=second',
  });
  const given = present(['one', 'two', 'lost'].map((name) => configuration.entry('providers', name)));
  expect(toOverlay(given).overlay).toEqual({ KEY: 'first', KEY__3: 'second' });
});
