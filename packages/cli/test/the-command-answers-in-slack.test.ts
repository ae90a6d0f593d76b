// The promise: `serve --slack` by itself answers in Slack, ends gently, goes on with its threads when it comes again, and says clearly which token is wrong.

import { hashOfKey } from '@ai-agent/agents';
import { expect, onTestFinished, test } from 'vitest';
import { startSlack } from '../../slack/test/support/slack-stand-in.ts';
import { agentFile, folderWith, localProvider, run, start } from './support/command.ts';
import { served } from './support/served.ts';
import { serving } from './support/serving.ts';

type Script = Parameters<typeof served>[0];

async function aDesk(script: Script, config: object = {}) {
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  const model = await served(script);
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m']),
    '.ai-agent.json': { ...localProvider(model.baseUrl), ...config },
  });
  const env = { SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: slack.botToken };
  const channel = slack.channel('general');
  const user = slack.person('jane');
  const ask = async (text: string, threadTs?: string) =>
    (await slack.say({ channel, user, text: `<@${slack.bot}> ${text}`, ...(threadTs ? { threadTs } : {}) })).ts;
  const shows = (ts: string) => JSON.stringify(slack.thread(channel, ts).slice(1));
  const answered = (ts: string, words: string) =>
    slack.until(() => shows(ts).includes(words) && shows(ts).includes('Retry'), words);
  const socket = { ...env, SLACK_APP_TOKEN: slack.appToken };
  const http = { ...env, SLACK_SIGNING_SECRET: slack.signingSecret };
  return { slack, model, cwd, ask, shows, answered, socket, http };
}

test('alone it answers, ends while a run is under way, and goes on with the thread when it comes again', async () => {
  const never = { latencyMs: 30_000, text: 'too late' };
  const { slack, model, cwd, ask, shows, answered, socket: env } = await aDesk(['It is blue.', never, 'It is red.']);
  const args = ['serve', 'desk.ai', '--slack'];
  const first = await serving([...args, '--grace', '100ms'], { cwd, env });
  expect(JSON.parse(first.stdout())).toMatchObject({
    ports: [],
    slack: expect.stringMatching(/^@\S+ in \S+/),
    agents: ['desk'],
  });
  expect(first.url).toBeUndefined();
  const ts = await ask('what colour?');
  await answered(ts, 'It is blue.');
  expect(shows(ts)).not.toContain('Timeline');
  await ask('and this?', ts);
  await expect.poll(() => model.inFlight).toBe(1);
  await slack.until(() => shows(ts).includes('"Stop"'), 'a status');
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  expect(slack.sockets).toBe(0);
  expect(shows(ts)).not.toContain('"Stop"');
  expect(shows(ts)).toContain('Cancelled');
  const second = start(args, { cwd, env });
  await ask('again?', ts);
  await answered(ts, 'It is red.');
  const said = JSON.stringify(model.requests.at(-1)?.messages);
  expect(said).toMatch(/what colour\?.*It is blue\..*again\?/);
  second.child.kill('SIGTERM');
  const { code, stderr } = await second.ended;
  expect(code).toBe(0);
  expect(stderr).toMatch(/^Serving 1 agent in Slack as @\S+ in /);
  expect(stderr).toContain('Stopping: nothing runs.');
});

test('alone it stays while Slack is away, and answers when Slack is there again; who is not taken back says so and ends', async () => {
  const { slack, cwd, ask, answered, socket: env } = await aDesk(['It is blue.']);
  const server = await serving(['serve', 'desk.ai', '--slack', '--no-store'], { cwd, env });
  slack.failNext('apps.connections.open', 503, 3);
  await slack.dropSocket({ how: 'abrupt' });
  await expect.poll(server.stderr, { timeout: 10_000 }).toContain('Slack is connected again.');
  const ts = await ask('what colour?');
  await answered(ts, 'It is blue.');
  slack.failNext('apps.connections.open', 'token_revoked');
  await slack.dropSocket({ how: 'abrupt' });
  expect(await server.ended).toBe(1);
  expect(server.stderr()).toContain('Slack does not take us back: token_revoked.');
});

test('beside a port the footer leads to the timeline, and REST shows the session; each person has their bounds', async () => {
  const perUser = { requestsPerMinute: 1 };
  const { slack, cwd, ask, shows, answered, socket: env } = await aDesk(['It is blue.'], { slack: { perUser } });
  const server = await serving(['serve', 'desk.ai', '--slack', '--port', '0'], { cwd, env });
  await expect.poll(server.stderr).toContain('In Slack desk answers mentions, /ask, direct messages.');
  await expect
    .poll(server.stderr)
    .toContain(`Answers in Slack link to ${server.url}, which this machine alone reaches`);
  const ts = await ask('what colour?');
  await answered(ts, 'It is blue.');
  const [, link, id] = /<(http[^|]*#\/s\/(\w+))\|Timeline>/.exec(shows(ts)) ?? [];
  expect(link).toBe(`${server.url}/#/s/${id}`);
  const shown = await server.get(`/v1/sessions/${id}`);
  expect(shown.status).toBe(200);
  expect(JSON.parse(shown.text)).toMatchObject({ id, agent: 'desk', status: 'completed' });
  const further = await ask('and now?');
  await slack.until(() => shows(further).includes('You may start 1 run a minute'), 'a refusal');
});

const key = 'sesame-0123456789abcdef';

const keys = { slack: { hash: hashOfKey(key), requestsPerMinute: 1 } };

test.each<[string, object, object]>([
  ['without keys', {}, {}],
  ['with keys, one of which is Slack’s', { api: { keys } }, { key: 'slack' }],
])('over HTTP Slack posts to the port, %s', async (_name, api, section) => {
  const { slack, cwd, ask, shows, answered, http: env } = await aDesk(() => 'It is blue.', { ...api, slack: section });
  const server = await serving(['serve', 'desk.ai', '--slack', '--port', '0'], { cwd, env });
  expect(JSON.parse(server.stdout()).slack).toMatch(/^@\S+ in /);
  await expect.poll(server.stderr).toContain(`What Slack posts is taken at ${server.url}/slack/events.`);
  await slack.useHttp(`${server.url}/slack/events`);
  const ts = await ask('what colour?');
  await answered(ts, 'It is blue.');
  expect(slack.sockets).toBe(0);
  const forged = await server.get('/slack/events', { method: 'POST', body: '{"type":"url_verification"}' });
  expect(forged.status).toBe(401);
  const [, id] = /#\/s\/(\w+)\|Timeline/.exec(shows(ts)) ?? [];
  const asKey = await server.get(`/v1/sessions/${id}`, { headers: { authorization: `Bearer ${key}` } });
  const asNobody = await server.get(`/v1/sessions/${id}`);
  expect([asKey.status, asNobody.status]).toEqual([200, 'api' in api ? 401 : 200]);
  const further = await ask('and now?');
  const comes = 'api' in api ? 'This key may start 1 run a minute' : 'It is blue.';
  await slack.until(() => shows(further).includes(comes), comes);
});

test('with keys of which none is Slack’s there is no link, and it is said', async () => {
  const { cwd, ask, shows, answered, socket: env } = await aDesk(['It is blue.'], { api: { keys } });
  const server = await serving(['serve', 'desk.ai', '--slack', '--port', '0'], { cwd, env });
  const ts = await ask('what colour?');
  await answered(ts, 'It is blue.');
  expect(shows(ts)).not.toContain('Timeline');
  expect(server.stderr()).toContain('What is asked in Slack belongs to no key');
});

test('what one would not expect is said at the start', async () => {
  const routing = { rules: [{ channels: ['#alerts'], bots: true }] };
  const section = { routing, pageUrl: 'https://agents.example.com' };
  const { cwd, socket: env } = await aDesk(['It is blue.'], { slack: section });
  const server = await serving(['serve', 'desk.ai', '--slack', '--port', '0'], { cwd, env });
  await expect.poll(server.stderr).toContain('nobody can stop such a run, or answer what it asks');
  expect(server.stderr()).toContain('this server does not answer as agents.example.com: say --allow-host');
  expect(server.stderr()).toContain('unless the rule says otherwise');
  const known = await serving(
    ['serve', 'desk.ai', '--port', '0', '--allow-host', 'agents.example.com', '--trace-slack'],
    {
      cwd,
      env,
    },
  );
  await expect.poll(known.stderr).toContain('--trace-slack says nothing without --slack');
  expect(known.stderr()).not.toContain('does not answer as');
});

test.each([
  [
    'bot',
    { SLACK_BOT_TOKEN: 'xoxb-of-somebody-else' },
    /Slack does not take the bot token: invalid_auth\.\nWhat to do: /,
  ],
  [
    'app',
    { SLACK_APP_TOKEN: 'xapp-of-somebody-else' },
    /Slack opens no connection with the app token: invalid_auth\.\nWhat to do: /,
  ],
])('a wrong %s token is said in a sentence, and shown nowhere', async (_name, wrong, words) => {
  const { slack, cwd, socket } = await aDesk([]);
  const args = ['serve', 'desk.ai', '--slack', '--port', '0', '--trace-slack'];
  const { code, stdout, stderr } = await run(args, { cwd, env: { ...socket, ...wrong } });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(words);
  for (const secret of [slack.botToken, slack.appToken, 'of-somebody-else']) expect(stderr).not.toContain(secret);
});
