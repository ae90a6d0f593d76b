// An answer is stopped with Ctrl-C or /stop: what it has so far is kept, and the talk goes on. Twice cancels it.

import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { call } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { headsIn } from './support/kept.ts';
import { completion, listening, streamed } from './support/served.ts';
import { desk, keys, saidIn, talk } from './support/talk.ts';

const never = new Promise<never>(() => {});
/** Longer than what counts as the same Ctrl-C, heard twice. */
const patience = () => sleep(250);

/** Streams half of its first answer and then nothing; answers the next with what it was told. */
async function essayist() {
  const { url, heard } = await listening(({ body }, response) => {
    if (heard.length > 1) return streamed(response, [`told ${body.includes('Once upon') ? 'of it' : 'nothing'}`]);
    beginTo(response, 'Once upon a time');
  });
  const cwd = await folderWith({ 'desk.ai': agentFile(['models: local/m']), '.ai-agent.json': localProvider(url) });
  return { heard, cwd };
}

function beginTo(response: ServerResponse, content: string): void {
  const choice = { index: 0, delta: { role: 'assistant', content } };
  const piece = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice] };
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${JSON.stringify(piece)}\n\n`);
}

test.each([
  ['Ctrl-C', keys.ctrlC],
  ['/stop', '/stop\r'],
])('%s in the middle of an answer: it is kept as far as it came, and known in the next round', async (_, typed) => {
  const { heard, cwd } = await essayist();
  const terminal = talk({ cwd });
  await terminal.say('tell me a story');
  await terminal.shows('Once upon a time');
  terminal.type(typed);
  await terminal.shows(/Once upon a time\npartial: it was stopped\.\n/);
  await terminal.say('and then?');
  await terminal.shows('told of it');
  expect(terminal.seen()).not.toContain('/stop');
  expect(heard).toHaveLength(2);
  await expect.poll(async () => (await headsIn(cwd))[0]).toMatchObject({ status: 'completed', resumptions: 1 });
  const [head] = await headsIn(cwd);
  for (const word of ['show', 'tree']) {
    const { stdout } = await run(['sessions', word, head?.id ?? ''], { cwd });
    expect(stdout).toMatch(/^Round 1: tell me a story\ndesk: partial \(stop\)/m);
    expect(stdout).not.toContain('SIGINT');
  }
});

test('before anything has come it is cancelled at once, and the next message is answered', async () => {
  const place = await desk((_, call) => (call === 1 ? { until: never } : 'here I am'));
  const terminal = talk(place);
  await terminal.say('hello');
  await expect.poll(() => place.model.inFlight).toBe(1);
  terminal.type(keys.ctrlC);
  await terminal.shows('Cancelled.');
  await terminal.say('hello?');
  await terminal.shows('here I am');
});

async function team() {
  return desk(
    ({ system, messages }) => {
      if (system.includes('You are slow')) return { until: never };
      if (JSON.stringify(messages.at(-1)).includes('asked to stop')) return { text: 'so far nothing', latencyMs: 600 };
      return saidIn({ messages } as never).length > 1 ? 'fine' : { calls: [call('agent__slow', { text: 'go' })] };
    },
    {
      'desk.ai': agentFile(['models: local/m', 'agents: slow.ai'], 'You are the desk.'),
      'slow.ai': agentFile(['models: local/m', 'description: slow'], 'You are slow.'),
    },
  );
}

test('/stop typed below the tree while a sub-agent works: shown as it is typed, the tree stays whole', async () => {
  const place = await team();
  const terminal = talk(place);
  await terminal.say('go');
  await expect.poll(() => place.model.inFlight).toBe(1);
  terminal.type('/st');
  await terminal.shows(/desk.*\n└─.*slow.*\n> \/st\n?$/);
  terminal.type('op\r');
  // The work of the sub-agent is missing from the answer.
  await terminal.shows(/so far nothing\nincomplete: desk:slow \(r\) failed .*\npartial: it was stopped\./);
  await terminal.prompts();
  expect(terminal.seen()).not.toContain('/stop');
  expect(terminal.seen().match(/└─/g)).toHaveLength(1);
});

test('Ctrl-C twice cancels it, and the talk goes on', async () => {
  const place = await team();
  const terminal = talk(place);
  await terminal.say('go');
  // The desk asks first, and is answered at once: the one that is waited for is the other.
  await terminal.shows(/└─.*slow/);
  await expect.poll(() => place.model.inFlight).toBe(1);
  terminal.type(keys.ctrlC);
  await terminal.shows('Stopping with what there is.');
  await patience();
  terminal.type(keys.ctrlC);
  await terminal.shows('Cancelled.');
  expect(terminal.seen()).not.toContain('so far nothing');
  await terminal.say('still there?');
  await terminal.shows(/\nfine\n/);
});

test('what is sent while an answer comes is answered next; after a stop it stands at the prompt', async () => {
  const open = Promise.withResolvers<void>();
  const place = await desk((request, call) => {
    if (call === 1) return { text: 'first', until: open.promise };
    return call === 3 ? { until: never } : `answer to ${saidIn(request).at(-1)}`;
  });
  const terminal = talk(place);
  await terminal.say('one');
  await expect.poll(() => place.model.inFlight).toBe(1);
  terminal.type('two\rthr');
  await terminal.shows(/next: two {2}> thr/);
  open.resolve();
  await terminal.shows('answer to two');
  await terminal.prompts('thr');
  terminal.type('ee\r');
  await expect.poll(() => place.model.inFlight).toBe(1);
  terminal.type('four\r');
  await terminal.shows('next: four');
  terminal.type(keys.ctrlC);
  await terminal.shows('Cancelled.');
  await terminal.prompts('four');
  expect(place.model.requests).toHaveLength(3);
});

test('at the prompt Ctrl-C empties the line, asks once more, and leaves', async () => {
  const place = await desk(['unheard']);
  const terminal = talk(place);
  await terminal.prompts();
  terminal.type('half');
  await terminal.prompts('half');
  terminal.type(keys.ctrlC);
  await terminal.shows(/desk> *\nPress Ctrl-C once more to leave\. *$/);
  terminal.type(`x${keys.backspace}`);
  await terminal.prompts();
  await patience();
  terminal.type(keys.ctrlC);
  await terminal.shows('once more');
  await patience();
  terminal.type(keys.ctrlC);
  expect(await terminal.ended).toBe(0);
  expect(place.model.requests).toHaveLength(0);
});

test('a signal ends the talk at any time, and the terminal is as it was', async () => {
  const place = await desk([{ until: never }]);
  for (const isAnswering of [false, true]) {
    const terminal = talk(place);
    if (isAnswering) await terminal.say('go');
    else await terminal.prompts();
    if (isAnswering) await expect.poll(() => place.model.inFlight).toBe(1);
    terminal.pty.kill('SIGTERM');
    expect(await terminal.ended).toBe(130);
    expect(terminal.raw().lastIndexOf('\u001b[?2004l')).toBeGreaterThan(terminal.raw().lastIndexOf('\u001b[?2004h'));
  }
});

test('a provider that is down is told with what to do, and asked again by the next message', async () => {
  const { url, heard } = await listening((_, response) => {
    if (heard.length > 1) return completion(response, 'back again');
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"no such key"}}');
  });
  const cwd = await folderWith({ 'desk.ai': agentFile(['models: local/m']), '.ai-agent.json': localProvider(url) });
  const terminal = talk({ cwd });
  await terminal.say('hello');
  await terminal.shows(/failed \(auth\): .*\nWhat to do: /);
  await terminal.say('hello?');
  await terminal.shows('back again');
});
