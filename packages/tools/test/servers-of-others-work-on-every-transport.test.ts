import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runServer } from './support/run-server.ts';
import { everything, filesystem, memory, started, supergateway } from './support/servers.ts';
import { calling, walkWith } from './support/walk-with.ts';

let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'transports-')));
  await writeFile(join(folder, 'note.txt'), 'a note');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const plainCalls = [
  { name: 'every__echo', input: { message: 'hello' } },
  { name: 'every__get-tiny-image' },
  { name: 'every__get-sum', input: { a: 'one', b: 2 } },
];

const askingCalls = [
  { name: 'every__trigger-elicitation-request' },
  { name: 'every__trigger-sampling-request', input: { prompt: 'x' } },
  { name: 'every__get-roots-list' },
];

async function useEverything(config: Readonly<Record<string, unknown>>, calls = [...plainCalls, ...askingCalls]) {
  const { outcome, results, system } = await walkWith({
    server: 'every',
    config: { ...config, sampling: true, roots: [folder] },
    onQuestion: () => ({ name: 'Ada' }),
    script: ({ tools, messages }) => {
      if (tools.length === 0) return 'sampled words';
      return messages.length > 1 ? 'done' : { calls };
    },
  });
  expect(outcome).toMatchObject({ status: 'completed' });
  expect(system).toContain('What the server every says about its tools');
  const [echo, image, sum, ...answered] = results.map(({ text }) => text);
  expect(echo).toBe('Echo: hello');
  expect(image).toContain('image/png');
  expect(sum).toContain('"a" must be number');
  return answered;
}

/** Also what the server asks on the way. */
async function askAndUseEverything(config: Readonly<Record<string, unknown>>) {
  const [form, sampling, roots] = await useEverything(config);
  expect(form).toContain('"action": "accept"');
  expect(sampling).toContain('sampled words');
  expect(roots).toContain(folder);
}

async function useMemory(config: Readonly<Record<string, unknown>>) {
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['counts'] }];
  const { outcome, results } = await walkWith({
    server: 'memory',
    config,
    script: calling({ name: 'memory__create_entities', input: { entities } }, { name: 'memory__read_graph' }),
  });
  expect(outcome).toMatchObject({ status: 'completed' });
  expect(JSON.parse(results[1]?.text ?? '')).toMatchObject({ entities });
}

async function useFiles(config: Readonly<Record<string, unknown>>) {
  const read = (file: string) => ({ name: 'files__read_text_file', input: { path: join(folder, file) } });
  const script = calling(read('note.txt'), read('missing.txt'));
  const { outcome, results } = await walkWith({ server: 'files', config, script });
  expect(outcome).toMatchObject({ status: 'completed' });
  expect(results[0]).toMatchObject({ isError: false, text: 'a note' });
  expect(results[1]).toMatchObject({ isError: true, text: expect.stringContaining('ENOENT') });
}

test('everything over its own pipes', () => askAndUseEverything(started(everything)));

test('everything over Streamable HTTP', async () => {
  const server = await runServer(everything, () => ['streamableHttp'], /listening on port/);
  await askAndUseEverything({ url: `http://127.0.0.1:${server.port}/mcp` }).finally(server.stop);
});

test('everything over SSE', async () => {
  const server = await runServer(everything, () => ['sse'], /running on port/);
  await askAndUseEverything({ type: 'sse', url: `http://127.0.0.1:${server.port}/sse` }).finally(server.stop);
});

test('memory and files over their own pipes', async () => {
  await useMemory({ ...started(memory), env: { MEMORY_FILE_PATH: join(folder, 'pipes.json') } });
  await useFiles(started(filesystem, folder));
});

test('all of them over WebSocket, behind a bridge', async () => {
  const file = join(folder, 'socket.json');
  await Promise.all([
    // The bridge gives every answer of ours another id, so that no server behind it can ask anything.
    bridged(`${process.execPath} ${everything}`, (config) => useEverything(config, plainCalls)),
    bridged(`MEMORY_FILE_PATH=${file} ${process.execPath} ${memory}`, useMemory),
    bridged(`${process.execPath} ${filesystem} ${folder}`, useFiles),
  ]);
});

async function bridged(command: string, use: (config: { readonly url: string }) => Promise<unknown>) {
  const args = (port: number) => ['--stdio', command, '--outputTransport', 'ws', '--port', String(port)];
  const { port, stop } = await runServer(supergateway, args, /WebSocket endpoint/);
  await use({ url: `ws://127.0.0.1:${port}/message` }).finally(stop);
}
