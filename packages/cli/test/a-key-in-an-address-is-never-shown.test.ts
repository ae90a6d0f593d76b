// A key in the query of an address is struck out of what a server says, however the server writes it.

import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';
import { lister, says } from './support/model-lists.ts';

/** Of letters that an address writes in more than one way. */
const keys = [
  'ab+csecretvalue',
  "a'b~c!secret(val)ue*",
  'ab%20c/d=secretvalue',
  'äb csecretvalue',
  'ab%zzcsecretvalue',
];

/** What a server may make of the query that it got. */
const echoes: Readonly<Record<string, (query: string) => string>> = {
  'as it came': (query) => query,
  decoded: (query) => new URLSearchParams(query).get('key') ?? '',
  'decoded, a plus left alone': (query) => new URLSearchParams(query.replaceAll('+', '%2B')).get('key') ?? '',
  'as a form': (query) => new URLSearchParams(query).toString(),
  'as a part of an address': (query) => encodeURIComponent(new URLSearchParams(query).get('key') ?? ''),
};

const types = { 'openai-compatible': '/v1', google: '/v1beta' };
const commands = [
  ['desk.ai', 'hello'],
  ['desk.ai', '--json', 'hello'],
  ['check', '--connect', 'desk.ai'],
  ['desk.ai', '--trace-sdk', 'hello'],
];

test.for(Object.entries(types).flatMap((type) => keys.map((key) => [...type, key] as const)))(
  '%s at %s?key=%s',
  async ([type, path, key]) => {
    const { url, asked } = await lister(({ url = '' }, response) => {
      const query = url.slice(url.indexOf('?') + 1);
      const told = Object.entries(echoes).map(([how, echo]) => `${how}: ${echo(query)}`);
      says(response, 401, { error: { message: `Refused ${told.join(', ')}.` } });
    });
    const cwd = await folderWith({
      'desk.ai': agentFile(['description: d', 'models: it/m', 'maxRetries: 1']),
      '.ai-agent.env': `GK=${key}\n`,
      '.ai-agent.json': { providers: { it: { type, baseUrl: `${url}${path}?key=$\{GK}` } } },
    });
    const ended = await Promise.all(commands.map((words) => run(words, { cwd })));
    expect(asked.length).toBe(commands.length);
    for (const { stdout, stderr } of ended) {
      const shown = stdout + stderr;
      expect(shown).toContain('Refused as it came: ');
      expect(shown).toContain('***');
      expect(shown).not.toMatch(/csecret|secretval|%7Ec/);
    }
  },
);
