// `node bench/model-call.ts`: CPU per model call of the lean transfer, beside the provider package over the same transport.
// Each contender is measured in turns and in several rounds; the best round counts. Read the ratios.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Model, type ModelRequest, userMessage } from '@ai-agent/core';
import { createTransport, fromLanguageModel, openaiCompatible } from '@ai-agent/models';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';

const words = 60;
const [rounds = 6, calls = 800, atATime = 8] = process.argv.slice(2).map(Number);

if (process.argv[2] === 'serve') serve();
else await measure();

async function measure(): Promise<void> {
  const server = spawn(process.execPath, [import.meta.filename, 'serve'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    await compare(await open(`http://127.0.0.1:${port.toString().trim()}/v1`));
  } finally {
    server.kill();
  }
  process.exit(0);
}

async function compare(contenders: Record<string, Model>): Promise<void> {
  for (const isStreamed of [false, true]) {
    const best = new Map<string, number>();
    for (let i = 0; i < rounds; i++)
      for (const [name, model] of Object.entries(contenders)) {
        const cpu = await cpuOf(model, isStreamed);
        best.set(name, Math.min(best.get(name) ?? Infinity, cpu));
      }
    const floor = best.get('lean') ?? 0;
    console.log(`${isStreamed ? `streamed, ${words} chunks` : 'whole'}, CPU per call, best of ${rounds} rounds:`);
    for (const [name, cpu] of best)
      console.log(
        `  ${name.padEnd(30)} ${(cpu * 1000).toFixed(0).padStart(5)} µs   ${(cpu / floor).toFixed(2)} × lean`,
      );
  }
}

async function open(baseUrl: string): Promise<Record<string, Model>> {
  const transport = createTransport();
  const packaged = (own: object) => {
    const provider = createOpenAICompatible({ name: 'local', baseURL: baseUrl, includeUsage: true, ...own });
    return fromLanguageModel(provider.chatModel('m'), { provider: 'local' });
  };
  return {
    lean: await openaiCompatible({ name: 'local', baseUrl, transport })('m'),
    'package over our transport': packaged({ fetch: transport.fetch }),
    'package over the global fetch': packaged({}),
  };
}

/** Milliseconds of this process for one call. */
async function cpuOf(model: Model, isStreamed: boolean): Promise<number> {
  const request: ModelRequest = {
    system: 'You answer.',
    messages: Array.from({ length: 20 }, () => userMessage('word '.repeat(100))),
    tools: [],
    output: { format: 'text' },
    settings: {},
  };
  const { signal } = new AbortController();
  const call = () => model.call(request, { signal, ...(isStreamed ? { onDelta: () => {} } : {}) });
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i += atATime) await Promise.all(Array.from({ length: atATime }, call));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / calls;
}

/** The same words to everybody, whole or streamed. */
function serve(): void {
  const frame = { id: '1', created: 1, model: 'm' };
  const usage = { prompt_tokens: 10, completion_tokens: words };
  const event = (choices: object[], rest = {}) => `data: ${JSON.stringify({ ...frame, choices, ...rest })}\n\n`;
  const delta = (fields: object, finish_reason: string | null = null) =>
    event([{ index: 0, delta: fields, finish_reason }]);
  const message = { role: 'assistant', content: 'Hello '.repeat(words) };
  const whole = JSON.stringify({ ...frame, choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
  const chunks = Array.from({ length: words }, () => delta({ content: 'Hello ' })).join('');
  const stream = `${chunks}${delta({}, 'stop')}${event([], { usage })}data: [DONE]\n\n`;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const isStreamed = Buffer.concat(chunks).includes('"stream":true');
    response.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' });
    response.end(isStreamed ? stream : whole);
  });
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
}
