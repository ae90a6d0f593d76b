// The promise: an agent whose tool is the very server that runs it ends at every bound: answered, or refused in words that its model
// reads. Nobody waits for a place that whoever waits for them holds.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openapiSpec, restTool } from '@ai-agent/cli';
import { scriptedModel } from '@ai-agent/cli/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { caller, ownKey, ownServer } from './support/own-server.ts';

const many = 100;
const bounds = [1, 2, 3].flatMap((running) => [0, 1, many].map((waiting) => ({ running, waiting })));

const all = /^a\((?:b\(c, c\)(?:, |\)$)){4}$/;
const some = /^a\((?:(?:b\((?:(?:c|server-full)(?:, |\))){2}|server-full)(?:, |\)$)){4}$/;

describe.each(bounds)('with $running at once and $waiting waiting', (size) => {
  const places = { rest: size };

  test('a chain of three is answered', async () => {
    const { url } = await ownServer(
      (at) => [caller('a', [`${at}/v1/b`]), caller('b', [`${at}/v1/c`]), caller('c', [])],
      { places },
    );
    expect(await ask(`${url}/v1/a`)).toEqual([200, 'a(b(c))']);
  });

  test('several at once are answered, or told that it is full', async () => {
    const { url, hall } = await ownServer(
      (at) => [caller('a', Array(4).fill(`${at}/v1/b`)), caller('b', [`${at}/v1/c`, `${at}/v1/c`]), caller('c', [])],
      { places },
    );
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => ask(`${url}/v1/a`)));
    const room = size.running + size.waiting;
    // Whoever comes later may find a place that is free again.
    expect(replies.filter(([status]) => status === 200).length).toBeGreaterThanOrEqual(Math.min(5, room));
    for (const [status, text] of replies) {
      if (status === 200) expect(text).toMatch(room > many ? all : some);
      else expect([status, JSON.parse(text).error.code]).toEqual([503, 'server-full']);
    }
    expect([hall.running, hall.placesOf('rest').running, hall.placesOf('rest').waiting]).toEqual([0, 0, 0]);
  });
});

test.each([1, 2])('with a key that may have %i at once', async (concurrency) => {
  const { url, hall } = await ownServer(
    (at) => [caller('a', [`${at}/v1/b`, `${at}/v1/b`]), caller('b', [`${at}/v1/c`]), caller('c', [])],
    { key: { concurrency }, places: { rest: { running: 2, waiting: many } } },
  );
  expect((await ask(`${url}/v1/a`))[0]).toBe(200);
  expect((await fetch(`${url}/v1/a?q=go`)).status).toBe(401);
  const replies = await Promise.all([1, 2, 3].map(() => ask(`${url}/v1/a`)));
  expect(replies).toEqual(Array(3).fill([200, 'a(b(c), b(c))']));
  expect([hall.running, hall.placesOf('rest').running]).toEqual([0, 0]);
});

test('the operations of a document are tools of the same kind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'own-server-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const parameters = [{ name: 'q', in: 'query', schema: { type: 'string' } }];
  const get = { operationId: 'ask', description: 'Asks b.', parameters, responses: {} };
  const document = { openapi: '3.1.0', info: { title: 'us', version: '1' }, paths: { '/v1/b': { get } } };
  const spec = join(folder, 'us.json');
  await writeFile(spec, JSON.stringify(document));
  const script = [{ calls: [1, 2].map(() => ({ name: 'rest__us_ask', input: { q: 'go' } })) }, 'done'];
  const model = scriptedModel(script);
  const { url } = await ownServer(
    (at) => [
      { name: 'a', instructions: 'Ask.', model, tools: [openapiSpec('us', { spec, baseUrl: at })] },
      caller('b', [`${at}/v1/c`]),
      caller('c', []),
    ],
    { places: { rest: { running: 1, waiting: 1 } } },
  );
  expect(await ask(`${url}/v1/a`)).toEqual([200, 'done']);
  expect(JSON.stringify(model.requests.at(-1)?.messages.at(-1)).match(/b\(c\)/g)).toHaveLength(2);
});

test.each([1, 2])('one that starts a run of its own and follows it to its end, with %i at once', async (running) => {
  let go = () => {};
  const { url, hall } = await ownServer(
    (at) => {
      const body = { agent: `\${parameters.agent}`, input: 'go' };
      const start = { url: `${at}/v1/sessions`, method: 'POST', description: 'd', bodyTemplate: body };
      const follow = { url: `${at}/v1/sessions/\${parameters.id}/events`, description: 'd' };
      const model = scriptedModel(({ messages }) => {
        const said = JSON.stringify(messages.at(-1));
        if (messages.length === 1) return { calls: [{ name: 'rest__start', input: { agent: 'b' } }] };
        if (messages.length > 3) return said.includes('b was here') ? 'followed' : said;
        go();
        const id = /\b[2-9a-z]{26}\b/.exec(said)?.[0];
        return { calls: [{ name: 'rest__follow', input: { id } }] };
      });
      const until = new Promise<void>((resolve) => {
        go = resolve;
      });
      return [
        { name: 'a', instructions: 'Ask.', model, tools: [restTool('start', start), restTool('follow', follow)] },
        { name: 'b', instructions: 'Go.', model: scriptedModel(() => ({ text: 'b was here', until })) },
      ];
    },
    { places: { rest: { running, waiting: many } } },
  );
  expect(await ask(`${url}/v1/a`)).toEqual([200, 'followed']);
  expect([hall.running, hall.placesOf('rest').running]).toEqual([0, 0]);
});

test('a place is free again when those have ended that its run left behind', async () => {
  const { url, hall } = await ownServer((at) => [caller('a', [`${at}/v1/b`]), caller('b', [])], {
    places: { rest: { running: 1, waiting: 0 } },
  });
  const ticket = await hall.placesOf('rest').enter({ owner: '' });
  const left = await ticket.inside.enter({ owner: '' });
  ticket.leave();
  expect((await ask(`${url}/v1/a`))[0]).toBe(503);
  left.leave();
  expect(await ask(`${url}/v1/a`)).toEqual([200, 'a(b)']);
});

/** Far less than any time limit of a tool. */
async function ask(url: string): Promise<readonly [status: number, text: string]> {
  const headers = { 'x-api-key': ownKey };
  const response = await fetch(`${url}?q=go`, { headers, signal: AbortSignal.timeout(8_000) });
  return [response.status, await response.text()];
}
