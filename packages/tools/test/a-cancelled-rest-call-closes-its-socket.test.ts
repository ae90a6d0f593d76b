// Who calls off a call hangs up: before an answer, in the middle of one, and in a stream.

import { expect, test } from 'vitest';
import { type Answer, call, openTool, serve } from './support/http-tools.ts';

const ways: readonly [string, Answer, Record<string, unknown>][] = [
  ['before an answer', () => {}, {}],
  [
    'in the middle of one',
    (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('half'),
    {},
  ],
  [
    'in a stream',
    (_, response) => void response.write('{"type":"token","content":"a"}\n'),
    { streaming: { mode: 'json-stream' } },
  ],
];

test.each(ways)('%s', async (_, answer, config) => {
  const asked = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const { url } = await serve((heard, response) => {
    response.on('close', () => closed.resolve());
    answer(heard, response);
    setImmediate(() => asked.resolve());
  });
  const tool = await openTool({ url, ...config });
  const abort = new AbortController();
  const reason = new TypeError('called off');
  const outcome = call(tool, {}, { signal: abort.signal });
  await asked.promise;
  abort.abort(reason);
  await expect(outcome).rejects.toBe(reason);
  await closed.promise;
});
