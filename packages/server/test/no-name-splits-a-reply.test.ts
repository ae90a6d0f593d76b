// The promise: whatever an agent is called outside, and whatever a client calls one, no reply has a header that nobody meant, and
// none breaks because of a name.

import { connect } from 'node:net';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createApp, Hall, listen, rest } from '../src/index.ts';

const names = [
  'b\r\nset-cookie: x=1\r\n\r\n<p>',
  'büro',
  '日本',
  'a b',
  '__proto__',
  'constructor',
  '%0d%0a',
  '"',
  '\u2028',
  '.',
];

test.each(names)('%j', async (name) => {
  const agent = { name: 'plain', instructions: 'Go.', model: scriptedModel(() => 'Here.') };
  const bugs: unknown[] = [];
  const hall = new Hall({ agents: () => [{ name, agent }], ports: fakePorts(), onBug: (bug) => bugs.push(bug) });
  const { port, close } = await listen(createApp(hall, [rest()]), { port: 0 });
  onTestFinished(() => close(0));
  // A dot alone means the folder it stands in, for every client.
  const path = encodeURIComponent(name === '.' ? 'plain' : name);
  for (const target of [`/v1/${path}?q=x`, '/v1', `/v1/${path}x?q=x`, `/v1/sessions/${path}`, '/openapi.json'])
    for (const accept of ['*/*', 'text/event-stream', 'application/vnd.ai-agent+json']) {
      const said = await send(
        port,
        `GET ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: ${accept}\r\nconnection: close\r\n\r\n`,
      );
      const [head = ''] = said.split('\r\n\r\n');
      expect(said).toMatch(/^HTTP\/1\.1 (?:200|404) /);
      expect(head).not.toMatch(/set-cookie|<p>/i);
      expect(said.match(/^HTTP\/1\.1/gm)).toHaveLength(1);
    }
  expect(bugs).toEqual([]);
  expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
});

function send(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('latin1').on('data', (piece: string) => {
      said += piece;
    });
    socket.once('error', reject).once('close', () => resolve(said));
  });
}
