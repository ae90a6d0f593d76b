// The promise: who goes away in the middle of a reply is not worked for any more: within 100 ms the connection to the provider is closed, whichever API it was, two levels down as well.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Agent, MemoryPauses } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { createTransport, openaiCompatible } from '@ai-agent/models';
import { describe, expect, onTestFinished, test } from 'vitest';
import { anthropic, Hall, openai } from '../src/index.ts';
import { chatApi } from './contract/chat-door.ts';
import { messagesApi } from './contract/messages-door.ts';
import type { ModelApi } from './contract/model-door.ts';
import { leadOf } from './contract/people.ts';
import { responsesApi } from './contract/responses-door.ts';
import { overSockets } from './contract/wires.ts';

/** A provider that begins to answer and never ends; it knows when each of its connections was closed. */
async function endless() {
  const closedAt: number[] = [];
  let open = 0;
  const server = createServer((request, response) => {
    open++;
    response.once('close', () => {
      open--;
      closedAt.push(performance.now());
    });
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'It begins. ' } }] })}\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const transport = createTransport();
  const model = await openaiCompatible({ name: 'endless', baseUrl: `http://127.0.0.1:${port}/v1`, transport })('model');
  onTestFinished(async () => {
    transport.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const agent: Agent = { name: 'patient', description: 'waits', instructions: 'Wait.', model };
  return {
    agent,
    closedAt,
    get open() {
      return open;
    },
  };
}

const apis = { 'chat completions': chatApi, responses: responsesApi, messages: messagesApi } as const;
const depths = { 'of its own': 'patient', 'two levels down': 'lead' } as const;

describe.each(Object.entries(apis))('%s', (_, api) => {
  for (const isStream of [true, false])
    test.each(Object.entries(depths))(
      `${isStream ? 'in pieces' : 'at once'}, with a provider %s`,
      async (_depth, agent) => {
        const provider = await endless();
        const lead = leadOf('lead', leadOf('middle', provider.agent));
        const served = [provider.agent, lead].map((one) => ({ name: one.name, agent: one }));
        const hall = new Hall({ agents: () => served, ports: fakePorts({ pauses: new MemoryPauses() }) });
        const wire = await overSockets(hall, [openai(), anthropic()]);
        const send = (signal: AbortSignal) => {
          const body = JSON.stringify({ ...toBody(api, agent), stream: isStream });
          const headers = { 'content-type': 'application/json', ...api.headers };
          return wire.send(api.path, { method: 'POST', headers, body, signal });
        };
        // The best of some tries: a machine that is busy with something else is slow now and then, one that polls always.
        let best = Number.POSITIVE_INFINITY;
        for (let tries = 0; tries < 5 && best >= 100; tries++) {
          const gone = new AbortController();
          const sent = send(gone.signal);
          sent.catch(() => {});
          await expect.poll(() => provider.open).toBe(1);
          // Nothing comes from below: there is nothing to wait for.
          if (isStream && agent === 'patient') await firstWords(await sent, 'It begins.');
          const before = provider.closedAt.length;
          const from = performance.now();
          gone.abort();
          await expect.poll(() => provider.closedAt.length, { interval: 5 }).toBe(before + 1);
          best = Math.min(best, (provider.closedAt.at(-1) ?? 0) - from);
          await expect.poll(() => hall.running).toBe(0);
        }
        expect(best).toBeLessThan(100);
        await wire.close();
      },
    );
});

function toBody(api: ModelApi, agent: string): object {
  return api.toBody({ agent, said: [{ role: 'user', text: 'Go.' }] });
}

/** This has come. */
async function firstWords({ chunks }: { readonly chunks: AsyncIterable<Uint8Array> }, words: string): Promise<void> {
  let text = '';
  // Not with a loop, which would close what it leaves.
  const reading = chunks[Symbol.asyncIterator]();
  while (!text.includes(words)) {
    const { value, done } = await reading.next();
    if (done) throw new TypeError(`It ended: ${text}`);
    text += Buffer.from(value).toString('utf8');
  }
}
