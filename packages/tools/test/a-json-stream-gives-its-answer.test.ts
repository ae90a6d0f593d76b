// A tool whose answer comes as lines of JSON gives the answer of the last event, else the text that came in pieces, marked.

import { setTimeout as pause } from 'node:timers/promises';
import type { ToolContext } from '@ai-agent/core';
import { FakeClock } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { readJsonStream } from '../src/rest/json-stream.ts';
import { readRestConfig } from '../src/rest/read-rest-config.ts';
import { type Answer, call, failureIn, openTool, serve, testSurroundings } from './support/http-tools.ts';

const token = (content: string) => `${JSON.stringify({ type: 'token', content })}\n`;

async function stream(answer: Answer, streaming: Record<string, unknown> = {}, onProgress = (_: string) => {}) {
  const { url } = await serve(answer);
  const tool = await openTool({ url, method: 'POST', streaming: { mode: 'json-stream', ...streaming } });
  return await call(tool, {}, { onProgress });
}

function lines(text: string): Answer {
  return (_, response) => response.end(text);
}

test('the answer of the done event, in pieces that break lines and letters', async () => {
  const bytes = Buffer.from(
    `${token('a')}no json\n\n[1]\n${JSON.stringify({ type: 'done', answer: 'grüße 😀' })}\n${token('late')}`,
  );
  const output = await stream(async (_, response) => {
    for (const byte of bytes) {
      response.write(Buffer.from([byte]));
      await pause(0);
    }
    response.end();
  });
  expect(output).toBe('grüße 😀');
});

test('an answer that is data comes as data', async () => {
  expect(await stream(lines('{"type":"done","answer":{"n":1}}'))).toEqual({ type: 'json', value: { n: 1 } });
});

test('an answer with numbers that nobody here can hold comes as text', async () => {
  const answer = '{"id":12345678901234567891,"list":["a",1e999]}';
  expect(await stream(lines(`{"type":"done","answer":${answer}}`))).toBe(answer);
  expect(await stream(lines('{"type":"done","answer":12345678901234567891}'))).toBe('12345678901234567891');
});

test('a done event without an answer: what was said', async () => {
  expect(await stream(lines(`${token('he')}${token('llo')}{"type":"done"}\n`))).toBe('hello');
});

test('fields and values of its own, and events of a browser', async () => {
  const own = {
    linePrefix: 'data: ',
    discriminatorField: 'event',
    doneValue: 'end',
    answerField: 'text',
    tokenValue: 'bit',
    tokenField: 'piece',
  };
  const text = 'event: x\nid: 1\ndata: {"event":"bit","piece":"a"}\n\ndata:{"event":"bit","piece":"b"}\r\n: hello\n';
  expect(await stream(lines(`${text}data: [DONE]\n`), own)).toBe('ab\n[The stream ended without its last event.]');
  expect(await stream(lines(`${text}data: {"event":"end","text":"all"}\n`), own)).toBe('all');
});

test('the end is not waited for after the done event', async () => {
  const closed = Promise.withResolvers<void>();
  const output = await stream((_, response) => {
    response.on('close', () => closed.resolve());
    response.write('{"type":"done","answer":"early"}\n');
  });
  expect(output).toBe('early');
  await closed.promise;
});

test('what is no stream at all is given as it is', async () => {
  expect(await stream(lines('just words'))).toBe('just words\n[The stream ended without its last event.]');
});

test('how far it is, is told', async () => {
  const told: string[] = [];
  const next = Promise.withResolvers<void>();
  await stream(
    async (_, response) => {
      response.write(token('one '));
      await next.promise;
      response.end(`${token('two')}{"type":"done"}\n`);
    },
    {},
    (text) => {
      told.push(text);
      next.resolve();
    },
  );
  expect(told[0]).toBe('one');
});

test('silence has a limit, and what was said before is kept', async () => {
  const output = await stream((_, response) => void response.write(token('begun')), { timeoutMs: 150 });
  expect(failureIn(output)).toMatchObject({ class: 'timeout', message: 'The stream said nothing for 150 ms.' });
  expect(output).toMatchObject({ text: 'begun' });
});

test('a stream that goes on saying something is not silent', async () => {
  const clock = new FakeClock();
  let say: (text: string) => void = () => {};
  const { url } = await serve((_, response) => {
    say = (text) => void response.write(text);
    say(token('0'));
  });
  const surroundings = { ...testSurroundings(), clock };
  const tool = await openTool({ url, streaming: { mode: 'json-stream', timeoutMs: 1000 } }, { surroundings });
  let count = 0;
  // By then the tool waits again.
  const onProgress = () =>
    void Promise.resolve().then(() => {
      clock.advance(900);
      count++;
      say(count < 5 ? token(String(count)) : '{"type":"done"}\n');
    });
  expect(await call(tool, {}, { onProgress })).toBe('01234');
});

test('no timer is left behind', async () => {
  const waiting = new Set<object>();
  const clock = {
    now: () => 0,
    monotonicMs: () => 0,
    after: () => {
      const timer = {};
      waiting.add(timer);
      return () => waiting.delete(timer);
    },
  };
  const { url } = await serve(lines(`${token('a')}{"type":"done"}\n`));
  const surroundings = { ...testSurroundings(), clock };
  const tool = await openTool({ url, streaming: { mode: 'json-stream', timeoutMs: 1000 } }, { surroundings });
  expect(await call(tool)).toBe('a');
  expect(waiting.size).toBe(0);
});

test('no more than maxBytes are read', async () => {
  const output = await stream(lines(token('x').repeat(1000)), { maxBytes: 300 });
  expect(output).toMatch(/^x+\n\[Reading stopped after 300 bytes.\]$/);
});

test('a stream that breaks off is the network, with what there was', async () => {
  const output = await stream((_, response) => {
    response.write(token('half'), () => setImmediate(() => response.destroy()));
  });
  expect(failureIn(output).class).toBe('network');
  expect(output).toMatchObject({ text: 'half' });
});

test('a refusal is no stream', async () => {
  const output = await stream((_, response) => response.writeHead(403).end('{"type":"done","answer":"no"}'));
  expect(failureIn(output)).toMatchObject({ class: 'auth', status: 403 });
});

/** In pieces as a network brings them. */
function inPieces(text: string, length: number): Response {
  const bytes = Buffer.from(text);
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(new Uint8Array(bytes.subarray(at, at + length)));
      at += length;
    },
  });
  return new Response(body);
}

const failure = { owner: 'restTools.it', secrets: [], isRepeatable: false };
const context = { signal: new AbortController().signal, progress: () => {} } as unknown as ToolContext;

test.each([
  ['one line', `{"type":"done","answer":"${'x'.repeat(9_000_000)}"}`],
  ['many', `${token('word '.repeat(20)).repeat(60_000)}{"type":"done"}`],
])('ten megabytes in small pieces take no long time: %s', async (_, text) => {
  const { streaming } = readRestConfig({ url: 'https://a.example', streaming: {} });
  const setting = { streaming: streaming as NonNullable<typeof streaming>, clock: new FakeClock(), failure };
  const began = performance.now();
  expect(String(await readJsonStream(inPieces(text, 1400), setting, context)).length).toBeGreaterThan(5_000_000);
  expect(performance.now() - began).toBeLessThan(3_000);
});

test('a line without an end is passed over', async () => {
  const { streaming } = readRestConfig({ url: 'https://a.example', streaming: { maxBytes: 40_000_000 } });
  const setting = { streaming: streaming as NonNullable<typeof streaming>, clock: new FakeClock(), failure };
  const text = `${token('a')}{"type":"token","content":"${'x'.repeat(11_000_000)}"}\n${token('b')}{"type":"done"}`;
  expect(await readJsonStream(inPieces(text, 64_000), setting, context)).toBe('ab');
});
