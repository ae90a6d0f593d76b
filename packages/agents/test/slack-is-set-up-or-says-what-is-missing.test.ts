// The promise: whatever keeps agents out of Slack is said in a sentence, with the place and the way out, and no token is ever shown.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSlackSettings } from '../src/config/slack-settings.ts';
import { problemsOf, writeFolder } from './config-folders.ts';

const bot = 'xoxb-1111-2222-sesame';
const app = 'xapp-1-A1-3333-sesame';
const tokens = { botToken: bot, appToken: app };

async function read(
  slack: unknown,
  env: Readonly<Record<string, string>> = {},
  more: { files?: object; connects?: boolean } = {},
) {
  const { files = {}, connects = true } = more;
  const config = slack === undefined ? {} : { 'cwd/.ai-agent.json': { slack } };
  const folder = await writeFolder({ 'cwd/.keep': '', ...config, ...files });
  const places = { cwd: join(folder, 'cwd'), homeFolder: join(folder, 'home'), env };
  return { folder, ...readSlackSettings(places, { folders: [join(folder, 'cwd')], connects }) };
}

test('every key is read', async () => {
  const route = { agent: 'desk', engage: ['mentions'], contextPolicy: 'thread' };
  const slack = {
    ...{ ...tokens, signingSecret: 's', apiUrl: 'http://127.0.0.1:9/api', key: 'desk', concurrency: 3 },
    ...{ admins: ['U1', 'U2'], mentions: true, dms: false, threadReplies: true, streaming: 'edits' },
    ...{ historyLimit: 5, historyCharsCap: 6, openerTone: 'busy', enabled: true },
    routing: { default: route, rules: [{ ...route, enabled: true, channels: ['#a*'], bots: true }], deny: [] },
  };
  const perUser = { requestsPerMinute: 6, concurrency: 2, allowance: { costUsd: 1, per: 'day' } };
  const { settings, problems } = await read({
    ...{ ...slack, updateIntervalMs: '3s', command: 'Desk', pageUrl: 'https://agents.example.com/' },
    perUser: { ...perUser, budget: { tokens: 9, time: '2m' } },
  });
  expect(problems).toEqual([]);
  expect(settings).toEqual({
    ...slack,
    ...{ updateIntervalMs: 3_000, command: '/desk', pageUrl: 'https://agents.example.com' },
    perUser: { ...perUser, budget: { tokens: 9, timeMs: 120_000 } },
  });
});

test('tokens come of the section, of .ai-agent.env and of the process, in this order', async () => {
  const env = { SLACK_BOT_TOKEN: 'xoxb-process', SLACK_APP_TOKEN: 'xapp-process', SLACK_API_URL: 'http://127.0.0.1:9' };
  const files = { 'cwd/.ai-agent.env': 'SLACK_BOT_TOKEN=xoxb-file\nSLACK_APP_TOKEN=xapp-file\n' };
  const { settings, problems } = await read({ appToken: app }, env, { files });
  expect(problems).toEqual([]);
  expect(settings).toEqual({ botToken: 'xoxb-file', appToken: app, apiUrl: 'http://127.0.0.1:9' });
  expect((await read(undefined, env)).settings).toMatchObject({ botToken: 'xoxb-process', appToken: 'xapp-process' });
  expect((await read({ botToken: `\${MINE}`, appToken: app }, { ...env, MINE: bot })).settings.botToken).toBe(bot);
});

test('a signing secret stands in for the app token', async () => {
  const { settings, problems } = await read({ botToken: bot }, { SLACK_SIGNING_SECRET: 'abcdef' });
  expect([problems, settings]).toEqual([[], { botToken: bot, signingSecret: 'abcdef' }]);
});

test.each<[string, unknown, string | undefined, RegExp]>([
  [
    'nothing at all',
    undefined,
    'slack.botToken',
    /^Slack needs a bot token .*SLACK_BOT_TOKEN\) and an app-level token .*; with a signing secret instead/,
  ],
  ['no app token', { botToken: bot }, 'slack.appToken', /^Slack needs an app-level token/],
  ['no bot token', { signingSecret: 's' }, 'slack.botToken', /^Slack needs a bot token \([^)]*\)$/],
  ['an empty one', { botToken: ' ', appToken: app }, 'slack.botToken', /^Slack needs a bot token/],
  ['both swapped', { botToken: app, appToken: bot }, 'slack.botToken', /change them over/],
  ['an app token for both', { botToken: app, appToken: app }, 'slack.botToken', /is an app-level token; .* xoxb-/],
  ['a bot token for both', { botToken: bot, appToken: bot }, 'slack.appToken', /is a bot token; .* xapp-/],
  [
    'the token of a person',
    { botToken: `xoxp-${bot.slice(5)}`, appToken: app },
    'slack.botToken',
    /is no such token; .* xoxb-/,
  ],
  ['something else', { botToken: 'sesame', appToken: app }, 'slack.botToken', /is no such token/],
  ['a token as the secret', { botToken: bot, signingSecret: app }, 'slack.signingSecret', /Basic Information/],
  ['switched off', { ...tokens, enabled: false }, 'slack.enabled', /is false, and --slack was said/],
  ['a variable that nobody defines', { ...tokens, key: `\${NOBODY}` }, 'slack', /Missing: NOBODY/],
  ['a bound spelt wrong', { ...tokens, perUser: { budgets: {} } }, 'slack.perUser.budgets', /did you mean budget/],
  ['a switch spelt wrong', { ...tokens, dm: false }, 'slack.dm', /did you mean dms/],
  [
    'a rule for no channel',
    { ...tokens, routing: { deny: [{ channels: [] }] } },
    'slack.routing.deny[0].channels',
    /must name a channel/,
  ],
  ...[
    ...['exec-{board,hr}', 'exec-[ab]oard', '##exec', 'exec board', '<#C0123ABCD|exec>', 'exec|board', '!#general'],
    ...['@jane', 'https://x.slack.com/archives/C0123', '#exec/board', '(exec)', '#', 'exec#board'],
  ].map((pattern): [string, unknown, string, RegExp] => [
    `a channel that none can be called: ${pattern}`,
    { ...tokens, routing: { deny: [{ channels: ['#all', pattern] }] } },
    'slack.routing.deny[0].channels',
    /has ".+", which fits no channel: .* \* is any letters/,
  ]),
  [
    'an id in small letters',
    { ...tokens, routing: { rules: [{ channels: ['c0123abcd'] }] } },
    'slack.routing.rules[0].channels',
    /has "c0123abcd", .* ids are in capitals/,
  ],
  [
    'a deny rule for nothing',
    { ...tokens, routing: { deny: [{ channels: ['#exec'], engage: [] }] } },
    'slack.routing.deny[0].engage',
    /must name what it shuts out; leave it out for everything/,
  ],
  ...['deny', 'rules'].map((list): [string, unknown, string, RegExp] => [
    `a rule that is null in ${list}`,
    { ...tokens, routing: { [list]: [{ channels: ['#exec'] }, null] } },
    `slack.routing.${list}`,
    /has a rule that is null/,
  ]),
  ['an admin by name', { ...tokens, admins: ['@anna'] }, 'slack.admins', /has @anna, which is no id/],
  ['a command of two words', { ...tokens, command: '/ask me' }, 'slack.command', /such as \/ask/],
  ['no address of the page', { ...tokens, pageUrl: 'sesame' }, 'slack.pageUrl', /begins with https/],
])('%s', async (_name, slack, key, words) => {
  const { problems, folder } = await read(slack);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ severity: 'error', key, message: expect.stringMatching(words) });
  if (slack !== undefined) expect(problems[0]?.file).toBe(join(folder, 'cwd/.ai-agent.json'));
  expect(JSON.stringify(problems)).not.toContain('sesame');
});

test('channels as people name them, of variables too, and nothing to engage in where something may be', async () => {
  const channels = ['#exec', 'exec-*', 'C0123ABCD', 'C0*', 'GENERAL', '役員-会議', 'a.b_c?', '#c0ffeeclub', `\${MINE}`];
  const routing = { deny: [{ channels }], rules: [{ channels, engage: [] }], default: { engage: [] } };
  const { settings, problems } = await read({ ...tokens, routing }, { MINE: '#mine,C0456ABCD' });
  expect(problems).toEqual([]);
  const named = [...channels.slice(0, -1), '#mine', 'C0456ABCD'];
  expect(settings.routing).toMatchObject({ deny: [{ channels: named }], rules: [{ engage: [] }] });
  const unread = await read({ routing }, {}, { connects: false });
  expect(unread.problems).toEqual([]);
});

test('a wrong token of a variable is told by its name', async () => {
  const { problems } = await read(undefined, { SLACK_BOT_TOKEN: 'sesame', SLACK_APP_TOKEN: app });
  expect(problems).toMatchObject([{ severity: 'error', file: 'SLACK_BOT_TOKEN' }]);
  expect(problems[0]?.remedy).toContain('ai-agent slack manifest');
  expect(JSON.stringify(problems)).not.toContain('sesame');
});

test('who does not connect needs no tokens', async () => {
  const { settings, problems } = await read({ botToken: `\${NOBODY}`, dms: false }, {}, { connects: false });
  expect([problems, settings]).toEqual([[], { dms: false }]);
});

test('agents of two folders have one section', async () => {
  const folder = await writeFolder({
    'a/.ai-agent.json': { slack: tokens },
    'b/.ai-agent.json': { slack: tokens },
  });
  const folders = ['a', 'b'].map((name) => join(folder, name));
  const { problems } = readSlackSettings({ cwd: folder, env: {} }, { folders });
  expect(problems).toMatchObject([{ code: 'key-conflict', file: join(folder, 'b/.ai-agent.json'), key: 'slack' }]);
});

test('what older configurations say of context does no harm', async () => {
  const routing = { rules: [{ channels: ['#a'], contextPolicy: { channelPost: 'selfOnly' } }] };
  const { settings, problems } = await read({ ...tokens, routing });
  expect(problems).toMatchObject([
    { severity: 'warning', code: 'key-idle', key: 'slack.routing.rules[0].contextPolicy' },
  ]);
  expect(settings.routing).toEqual({ rules: [{ channels: ['#a'] }] });
  const file = 'cwd/.ai-agent.json';
  expect(await problemsOf({ [file]: { slack: { routing } } })).toMatchObject([{ severity: 'warning' }]);
});

test.each(['nonne', 'everything', 7])(
  'a word for context that is none stops the server: it may be meant to keep what was said from a model: %j',
  async (contextPolicy) => {
    const { problems } = await read({ ...tokens, routing: { default: { contextPolicy } } });
    const key = 'slack.routing.default.contextPolicy';
    expect(problems).toMatchObject([{ severity: 'error', key, message: expect.stringContaining('none') }]);
  },
);

test('tokens that are swapped in variables are told by those', async () => {
  const env = { SLACK_BOT_TOKEN: app, SLACK_APP_TOKEN: bot };
  const { problems } = readSlackSettings({ cwd: await writeFolder({}), env }, { folders: [] });
  expect(problems).toMatchObject([
    { file: 'SLACK_BOT_TOKEN', message: 'is the app token, and SLACK_APP_TOKEN is the bot token; change them over' },
  ]);
});

test('a section without deny rules or bounds does not hide one that has them', async () => {
  const switches = { mentions: false, dms: false, concurrency: 1, key: 'desk' };
  const routing = { deny: [{ channels: ['#a'] }], default: { engage: [] } };
  const folder = await writeFolder({
    'team/.ai-agent.json': { slack: { ...tokens, ...switches, perUser: { concurrency: 1 }, routing } },
    'cwd/.ai-agent.json': { slack: { ...tokens, command: 'desk' } },
    'open/.ai-agent.json': { slack: { ...tokens, ...switches, perUser: {}, routing: { deny: [], default: {} } } },
  });
  const readIn = (cwd: string, connects = true) =>
    readSlackSettings({ cwd: join(folder, cwd), env: {} }, { folders: [join(folder, 'team')], connects }).problems;
  const file = join(folder, 'cwd/.ai-agent.json');
  expect(readIn('cwd')).toMatchObject(
    ['routing.deny', 'routing.default', 'mentions', 'dms', 'perUser', 'concurrency', 'key'].map((word) => ({
      ...{ severity: 'error', code: 'key-conflict', file, key: 'slack' },
      message: `has no ${word}, and hides that of ${join(folder, 'team/.ai-agent.json')}; write it here too`,
    })),
  );
  expect([readIn('open'), readIn('cwd', false)]).toEqual([[], []]);
});

test('a field that no template has stays as it is, and is a warning', async () => {
  const routing = { default: { promptTemplates: { dm: '{text} of {user.name}, {"a": 1}' } } };
  const { settings, problems } = await read({ ...tokens, routing });
  const key = 'slack.routing.default.promptTemplates.dm';
  expect(problems).toMatchObject([{ severity: 'warning', key, message: expect.stringContaining('has {user.name}') }]);
  expect(settings.routing).toEqual(routing);
});

test('a word of the routing that is spelt wrong stops the server: it may be the one that closes a channel', async () => {
  const wrong = [
    { denny: [{ channels: ['#exec'] }] },
    { rules: [{ channel: ['#alerts'], agent: 'desk' }] },
    { deny: [{ chanels: ['#exec'] }] },
    { default: { engages: ['dms'] } },
  ];
  for (const routing of wrong) {
    const { problems } = await read({ ...tokens, routing });
    expect([routing, problems.map(({ severity }) => severity)]).toEqual([routing, ['error']]);
  }
});

test('a token with the dots of an example is no token', async () => {
  const isNone = expect.stringContaining('is a placeholder, or cut off');
  const ofBoth = await read({ botToken: 'xoxb-…', appToken: 'xapp-…' });
  expect(ofBoth.problems.map(({ message }) => message)).toEqual([isNone, isNone]);
  const ofSecret = await read({ botToken: bot, signingSecret: '…' });
  expect(ofSecret.problems.map(({ message }) => message)).toEqual([isNone]);
});
