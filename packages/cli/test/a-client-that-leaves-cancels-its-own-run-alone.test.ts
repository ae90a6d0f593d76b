// The promise: a client that disconnects from its own waiting request cancels its run, down to the model's HTTP request, wherever the
// run is just then; nobody else is touched.

import { Agent as Connections, type IncomingMessage, request } from 'node:http';
import { type Agent, createModels, mcpServer } from '@ai-agent/cli';
import { type ScriptedHttpModel, type Step, scriptedHttpModel } from '@ai-agent/cli/testing';
import { expect, onTestFinished, test } from 'vitest';
import { caller, type OwnServer, ownServer } from './support/own-server.ts';
import { listening } from './support/served.ts';

test('while the model is asked: its request is closed, and a neighbour on the same agent is answered', async () => {
  const model = await scripted(({ prompt, go }) => (prompt === 'stay' ? { text: 'stayed', until: go } : hang));
  const server = await ownServer(() => [{ name: 'a', instructions: 'Go.', model }]);
  const leaving = ask(server, '/v1/a?q=leave');
  const staying = ask(server, '/v1/a?q=stay');
  await until(() => model.server.inFlight === 2);
  leaving.leave();
  await until(() => model.server.aborted === 1 && model.server.inFlight === 1);
  await until(() => server.hall.running === 1);
  expect(endings(server)).toEqual(['a cancelled']);
  model.go();
  expect(await staying.reply).toEqual([200, 'stayed']);
  expect([model.server.aborted, model.server.inFlight]).toEqual([1, 0]);
  // What is left of the pool of connections works.
  expect(await ask(server, '/v1/a?q=stay').reply).toEqual([200, 'stayed']);
});

test('while it waits for a place: it leaves the row, no model is asked, and who is behind it comes in', async () => {
  const model = await scripted(({ go }) => ({ text: 'stayed', until: go }));
  const server = await ownServer(() => [{ name: 'a', instructions: 'Go.', model }], {
    places: { rest: { running: 1, waiting: 2 } },
  });
  const places = server.hall.placesOf('rest');
  const first = ask(server, '/v1/a?q=first');
  await until(() => places.running === 1);
  const leaving = ask(server, '/v1/a?q=leave');
  await until(() => places.waiting === 1);
  const behind = ask(server, '/v1/a?q=behind');
  await until(() => places.waiting === 2);
  leaving.leave();
  await until(() => places.waiting === 1);
  expect(endings(server)).toEqual(['a never began']);
  model.go();
  expect([await first.reply, await behind.reply]).toEqual([
    [200, 'stayed'],
    [200, 'stayed'],
  ]);
  expect([model.requests.length, model.server.aborted, places.running]).toEqual([2, 0, 0]);
});

test('while an agent of the same server works for it: both end, down to the model of the one below', async () => {
  const model = await scripted(() => hang);
  const server = await ownServer((url) => [
    caller('a', [`${url}/v1/b`]),
    caller('b', [`${url}/v1/c`, `${url}/v1/c`]),
    { name: 'c', instructions: 'Go.', model },
  ]);
  const leaving = ask(server, '/v1/a?q=go');
  await until(() => model.server.inFlight === 2);
  leaving.leave();
  await until(() => server.hall.running === 0);
  await until(() => model.server.inFlight === 0);
  expect(endings(server).sort()).toEqual(['a cancelled', 'b cancelled', 'c cancelled', 'c cancelled']);
  expect([model.server.aborted, server.hall.placesOf('rest').running]).toEqual([2, 0]);
});

test('while the one below waits for a place inside', async () => {
  const model = await scripted(() => hang);
  const server = await ownServer(
    (url) => [caller('a', [`${url}/v1/b`, `${url}/v1/b`]), { name: 'b', instructions: 'Go.', model }],
    { places: { rest: { running: 1, waiting: 1 } } },
  );
  const leaving = ask(server, '/v1/a?q=go');
  await until(() => model.server.inFlight === 1 && server.hall.running === 3);
  leaving.leave();
  await until(() => server.hall.running === 0 && model.server.inFlight === 0);
  const [first, second, waited] = endings(server).sort();
  expect([first, second]).toEqual(['a cancelled', 'b cancelled']);
  // The place that the other leaves may be its own for a moment, before it is told to go as well.
  expect(['b cancelled', 'b never began']).toContain(waited);
  expect(server.hall.placesOf('rest').running).toBe(0);
});

test('while it streams: in the middle of what the model says', async () => {
  let closed = 0;
  const provider = await listening((_, response) => {
    response.once('close', () => closed++);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const choices = [{ index: 0, delta: { role: 'assistant', content: 'One word and no more' } }];
    response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`,
    );
  });
  const models = createModels({ providers: { local: { type: 'openai-compatible', baseUrl: `${provider.url}/v1` } } });
  onTestFinished(() => models.close());
  const model = await models.resolve('local/m', { env: {} });
  const server = await ownServer(() => [{ name: 'a', instructions: 'Go.', model }]);
  const leaving = ask(server, '/v1/a?q=go', { accept: 'text/event-stream' });
  await until(() => leaving.said().includes('One word'));
  leaving.leave();
  await until(() => closed === 1 && server.hall.running === 0);
  expect(endings(server)).toEqual(['a cancelled']);
});

test('while a REST tool is called: that request is closed too', async () => {
  let [open, closed] = [0, 0];
  const service = await listening((_, response) => {
    open++;
    response.once('close', () => closed++);
  });
  const server = await ownServer(() => [caller('a', [service.url])]);
  const leaving = ask(server, '/v1/a?q=go');
  await until(() => open === 1);
  leaving.leave();
  await until(() => closed === 1 && server.hall.running === 0);
  expect(endings(server)).toEqual(['a cancelled']);
});

test('while a server of tools is called: it is told', async () => {
  const told: string[] = [];
  const mcp = await listening(({ body }, response) => {
    const message = JSON.parse(body || '{}') as { id?: number; method?: string };
    told.push(message.method ?? '');
    const reply = (result: object) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    const serverInfo = { name: 'slow', version: '1' };
    if (message.method === 'initialize')
      return reply({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
    if (message.method === 'tools/list')
      return reply({ tools: [{ name: 'slow', description: 'd', inputSchema: { type: 'object' } }] });
    if (message.method === 'tools/call') return response.once('close', () => told.push('closed'));
    return response.writeHead(message.id === undefined ? 202 : 404).end();
  });
  const agent: Agent = {
    name: 'a',
    instructions: 'Go.',
    model: await scripted(() => ({ calls: [{ name: 'slow__slow' }] })),
    tools: [mcpServer('slow', { type: 'http', url: mcp.url })],
  };
  const server = await ownServer(() => [agent]);
  const leaving = ask(server, '/v1/a?q=go');
  await until(() => told.includes('tools/call'));
  leaving.leave();
  await until(() => server.hall.running === 0 && told.includes('closed'));
  expect(endings(server)).toEqual(['a cancelled']);
});

const hang: Step = { text: 'never', until: new Promise(() => {}) };

interface Scene {
  readonly prompt: string;
  /** Settles when somebody says go. */
  readonly go: Promise<void>;
}

async function scripted(script: (scene: Scene) => Step): Promise<ScriptedHttpModel & { go(): void }> {
  let release = () => {};
  const go = new Promise<void>((resolve) => {
    release = resolve;
  });
  const model = await scriptedHttpModel(({ messages }) => {
    const text = messages.findLast(({ role }) => role === 'user');
    return script({ prompt: JSON.stringify(text).includes('stay') ? 'stay' : 'leave', go });
  });
  onTestFinished(() => model.close());
  return Object.assign(model, { go: release });
}

const connections = new Connections({ keepAlive: true });

/** A client that may leave before it has its answer. */
function ask({ url }: OwnServer, path: string, headers: Record<string, string> = {}) {
  let said = '';
  const client = request(`${url}${path}`, { agent: connections, headers });
  const reply = new Promise<readonly [status: number, text: string]>((resolve, reject) => {
    client.once('error', reject).once('response', (response: IncomingMessage) => {
      response.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      response.once('error', reject).once('end', () => resolve([response.statusCode ?? 0, said]));
    });
  });
  reply.catch(() => {});
  client.end();
  return { reply, said: () => said, leave: () => client.destroy() };
}

function endings({ ended }: OwnServer): string[] {
  return ended.map(({ head, outcome }) => `${head.agent} ${outcome?.status ?? 'never began'}`);
}

async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 8_000;
  while (!isSo()) {
    if (Date.now() > end) throw new TypeError(`Never: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
