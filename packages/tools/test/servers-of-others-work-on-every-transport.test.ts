import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Connections } from '../src/mcp/connections.ts';
import { runServer } from './support/run-server.ts';
import { everything, filesystem, memory, started, supergateway } from './support/servers.ts';
import { surroundings } from './support/surroundings.ts';
import { calling, walkWith } from './support/walk-with.ts';

let folder: string;
let connections: Connections;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'transports-')));
  await writeFile(join(folder, 'note.txt'), 'a note');
  connections = new Connections(surroundings());
});

afterAll(async () => {
  await connections.close();
  await rm(folder, { recursive: true, force: true });
});

/** What each of them must be able to do, over whatever it is reached. */
async function useEverything(config: Readonly<Record<string, unknown>>) {
  const { outcome, results, events, system } = await walkWith({
    server: 'every',
    config: { ...config, sampling: true, roots: [folder] },
    connections,
    onQuestion: () => ({ name: 'Ada' }),
    script: ({ tools, messages }) => {
      if (tools.length === 0) return 'sampled words';
      if (messages.length > 1) return 'done';
      return {
        calls: [
          { name: 'every__echo', input: { message: 'hello' } },
          { name: 'every__get-tiny-image' },
          { name: 'every__trigger-long-running-operation', input: { duration: 0.1, steps: 2 } },
          { name: 'every__trigger-elicitation-request' },
          { name: 'every__trigger-sampling-request', input: { prompt: 'x' } },
          { name: 'every__get-roots-list' },
          { name: 'every__get-sum', input: { a: 'one', b: 2 } },
        ],
      };
    },
  });
  expect(outcome).toMatchObject({ status: 'completed' });
  const [echo, image, long, form, sampling, roots, sum] = results.map(({ text }) => text);
  expect(echo).toBe('Echo: hello');
  expect(image).toContain('image/png');
  expect(long).toContain('Long running operation completed');
  expect(form).toContain('"action": "accept"');
  expect(sampling).toContain('sampled words');
  expect(roots).toContain(folder);
  expect(sum).toContain('"a" must be number');
  expect(events.some((event) => event.type === 'tool-progress' && /2/.test(event.text))).toBe(true);
  expect(system).toContain('What the server every says about its tools');
}

async function useMemory(config: Readonly<Record<string, unknown>>) {
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['counts'] }];
  const { outcome, results } = await walkWith({
    server: 'memory',
    config,
    connections,
    script: calling({ name: 'memory__create_entities', input: { entities } }, { name: 'memory__read_graph' }),
  });
  expect(outcome).toMatchObject({ status: 'completed' });
  expect(JSON.parse(results[1]?.text ?? '')).toMatchObject({ entities });
}

async function useFiles(config: Readonly<Record<string, unknown>>) {
  const read = (file: string) => ({ name: 'files__read_text_file', input: { path: join(folder, file) } });
  const script = calling(read('note.txt'), read('missing.txt'));
  const { outcome, results } = await walkWith({ server: 'files', config, connections, script });
  expect(outcome).toMatchObject({ status: 'completed' });
  expect(results[0]).toMatchObject({ isError: false, text: 'a note' });
  expect(results[1]).toMatchObject({ isError: true, text: expect.stringContaining('ENOENT') });
}

test('everything over its own pipes', () => useEverything(started(everything)));

test('everything over Streamable HTTP', async () => {
  const server = await runServer(everything, () => ['streamableHttp'], /listening on port/);
  await useEverything({ url: `http://127.0.0.1:${server.port}/mcp` }).finally(server.stop);
});

test('everything over SSE', async () => {
  const server = await runServer(everything, () => ['sse'], /running on port/);
  await useEverything({ type: 'sse', url: `http://127.0.0.1:${server.port}/sse` }).finally(server.stop);
});

test('everything over WebSocket, behind a bridge', async () => {
  const server = await bridge(`${process.execPath} ${everything}`);
  await useEverything({ url: `ws://127.0.0.1:${server.port}/message` }).finally(server.stop);
});

test('memory over its own pipes and over WebSocket', async () => {
  const file = (name: string) => join(folder, name);
  await useMemory({ ...started(memory), env: { MEMORY_FILE_PATH: file('pipes.json') } });
  const server = await bridge(`MEMORY_FILE_PATH=${file('socket.json')} ${process.execPath} ${memory}`);
  await useMemory({ url: `ws://127.0.0.1:${server.port}/message` }).finally(server.stop);
});

test('files over its own pipes and over WebSocket', async () => {
  await useFiles(started(filesystem, folder));
  const server = await bridge(`${process.execPath} ${filesystem} ${folder}`);
  await useFiles({ url: `ws://127.0.0.1:${server.port}/message` }).finally(server.stop);
});

function bridge(command: string) {
  const args = (port: number) => ['--stdio', command, '--outputTransport', 'ws', '--port', String(port)];
  return runServer(supergateway, args, /WebSocket endpoint/);
}
