// The promise: `serve --slack` says in a sentence what keeps agents out of Slack, shows no token, and leaves nothing open.

import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';

const tokens = { botToken: 'xoxb-1-sesame', appToken: 'xapp-1-sesame' };
const hash = `sha256:${'0'.repeat(64)}`;
const page = { hash, origins: ['https://example.com'], agents: ['desk'], requestsPerMinute: 1 };

async function aDesk(config: object = {}) {
  const file = agentFile(['models: offline/demo']);
  const cwd = await folderWith({ 'desk.ai': file, 'team/support.ai': file, '.ai-agent.json': config });
  return (...args: readonly string[]) => run(args, { cwd });
}

test.each<[string, object, readonly string[], RegExp]>([
  ['no tokens', {}, ['serve', 'desk.ai', '--slack'], /slack\.botToken: Slack needs a bot token .* app-level token/],
  ['as older set-ups say it', {}, ['--agent', 'desk.ai', '--slack', '--api', '0'], /Slack needs a bot token/],
  [
    'tokens swapped',
    { slack: { botToken: tokens.appToken, appToken: tokens.botToken } },
    ['serve', 'desk.ai', '--slack', '--trace-slack'],
    /\.ai-agent\.json:\d+: error: slack\.botToken: .*change them over/,
  ],
  [
    'switched off',
    { slack: { ...tokens, enabled: false } },
    ['serve', 'desk.ai', '--slack'],
    /slack\.enabled: is false/,
  ],
  [
    'an agent that is not served',
    { slack: { ...tokens, routing: { rules: [{ agent: 'suport' }] } } },
    ['serve', 'desk.ai', 'team/support.ai', '--slack'],
    /slack\.routing\.rules\[0\]\.agent: suport is not served; there are desk, support/,
  ],
  [
    'a deny rule that is spelt wrong',
    { slack: { ...tokens, routing: { denny: [{ channels: ['#exec'] }] } } },
    ['serve', 'desk.ai', '--slack'],
    /error: slack\.routing\.denny: .*did you mean deny/,
  ],
  [
    'a key that is not there',
    { slack: { ...tokens, key: 'slack' }, api: { keys: { desk: { hash } } } },
    ['serve', 'desk.ai', '--slack'],
    /slack\.key: is no key of api\.keys; there are desk/,
  ],
  [
    'a key where there are none',
    { slack: { ...tokens, key: 'slack' } },
    ['serve', 'desk.ai', '--slack'],
    /slack\.key: is no key of api\.keys; there is none/,
  ],
  [
    'a key that stands in pages',
    { slack: { ...tokens, key: 'page' }, api: { keys: { page } } },
    ['serve', 'desk.ai', '--slack'],
    /slack\.key: is a key that stands in pages/,
  ],
])('%s', async (_name, config, args, words) => {
  const { code, stdout, stderr } = await (await aDesk(config))(...args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(words);
  expect(stderr).toContain('What to do: ');
  expect(stderr).not.toContain('sesame');
});

test('without --slack the section is nobody’s business', async () => {
  const desk = await aDesk({ slack: { botToken: 'nonsense', enabled: false } });
  const { code, stderr } = await desk('desk.ai', '-q', 'Hello.');
  expect([code, stderr]).toEqual([0, '']);
});
