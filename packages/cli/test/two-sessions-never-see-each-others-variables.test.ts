// One variable, several values: every session sends its own, side by side, in one tree and in one process.

import { join } from 'node:path';
import { ask, loadAgent } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { completion, type Heard, listening } from './support/served.ts';

const apiKey = `$\{THE_KEY}`;

/** Everybody says who they are in their prompt; the server remembers with which key. */
const remember = () => listening((_, response) => setTimeout(() => completion(response, 'fine'), 5 * Math.random()));

const keysBySpeaker = (heard: readonly Heard[]) => {
  const keys = new Map<string, Set<string>>();
  for (const { body, authorization } of heard) {
    const who = /I am (\w+)\./.exec(body)?.[1] ?? 'nobody';
    keys.set(who, (keys.get(who) ?? new Set()).add(authorization));
  }
  return Object.fromEntries([...keys].map(([who, held]) => [who, [...held]]));
};

test('siblings of one run, each with the .ai-agent.env of its folder', async () => {
  const { url, heard } = await remember();
  const child = (name: string) => ({
    [`${name}/${name}.ai`]: agentFile(['models: local/m', `description: ${name}`], `I am ${name}.`),
    [`${name}/.ai-agent.env`]: `THE_KEY=key-of-${name}\n`,
    [`${name}/.ai-agent.json`]: localProvider(url, { apiKey }),
  });
  const cwd = await folderWith({
    'team/lead.ai': agentFile(['models: offline/demo', 'agents: [../red/red.ai, ../blue/blue.ai, ../none/none.ai]']),
    ...child('red'),
    ...child('blue'),
    'none/none.ai': agentFile(['models: local/m', 'description: none'], 'I am none.'),
    'none/.ai-agent.json': localProvider(url, { apiKey }),
  });
  const { code, stdout } = await run(['team/lead.ai', '--json', 'Ask all of them.'], {
    cwd,
    env: { THE_KEY: 'key-of-the-shell' },
  });
  expect([code, JSON.parse(stdout).status]).toEqual([0, 'completed']);
  expect(keysBySpeaker(heard)).toEqual({
    red: ['Bearer key-of-red'],
    blue: ['Bearer key-of-blue'],
    none: ['Bearer key-of-the-shell'],
  });
});

test('a parent with a key of its own does not lend it to a child that has none', async () => {
  const { url, heard } = await remember();
  const cwd = await folderWith({
    'lead/lead.ai': agentFile(['models: local/m', 'agents: ../child/child.ai'], 'I am lead.'),
    'lead/.ai-agent.env': 'THE_KEY=key-of-lead\n',
    'lead/.ai-agent.json': localProvider(url, { apiKey }),
    'child/child.ai': agentFile(['models: local/m', 'description: child'], 'I am child.'),
    'child/.ai-agent.json': localProvider(url, { apiKey }),
  });
  const { code, stderr } = await run(['lead/lead.ai', 'hello'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain('child/child.ai:2: error: models: Missing: THE_KEY; define in shell or .ai-agent.env');
  expect(heard).toHaveLength(0);
});

test('hundreds of runs of one file in one process, each loaded with another environment', async () => {
  const { url, heard } = await remember();
  const cwd = await folderWith({ '.ai-agent.json': localProvider(url, { apiKey }) });
  const speakers = Array.from({ length: 20 }, (_, i) => `s${i}`);
  const folder = await folderWith(
    Object.fromEntries(speakers.map((name) => [`${name}.ai`, agentFile(['models: local/m'], `I am ${name}.`)])),
  );
  const loaded = await Promise.all(
    speakers.map((name) =>
      loadAgent(join(folder, `${name}.ai`), { cwd, env: { THE_KEY: `key-of-${name}`, OTHER: 'x' } }),
    ),
  );
  for (const [i, { session }] of loaded.entries()) expect(session.envOverlay).toEqual({ THE_KEY: `key-of-s${i}` });
  const runs = Array.from({ length: 300 }, (_, i) => loaded[(i * 7) % 20] as (typeof loaded)[number]);
  const outcomes = await Promise.all(runs.map(({ agent, session }) => ask(agent, 'hello', session)));
  expect(outcomes.filter(({ status }) => status !== 'completed')).toEqual([]);
  expect(heard).toHaveLength(300);
  expect(keysBySpeaker(heard)).toEqual(Object.fromEntries(speakers.map((name) => [name, [`Bearer key-of-${name}`]])));
}, 30_000);

test('nothing is read from the environment of the process, and nothing is left in it', async () => {
  const { url, heard } = await remember();
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(url, { apiKey }),
  });
  process.env.THE_KEY = 'key-of-the-process';
  try {
    await expect(loadAgent('desk.ai', { cwd })).rejects.toThrow(/Missing: THE_KEY/);
    const before = JSON.stringify(process.env);
    const { agent, session } = await loadAgent('desk.ai', { cwd, env: { THE_KEY: 'key-of-the-caller' } });
    await ask(agent, 'hello', session);
    expect(JSON.stringify(process.env)).toBe(before);
  } finally {
    delete process.env.THE_KEY;
  }
  expect(heard.map(({ authorization }) => authorization)).toEqual(['Bearer key-of-the-caller']);
});
