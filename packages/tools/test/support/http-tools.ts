// REST and OpenAPI tools as a session would have them, and a real server on this machine that hears what they send.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, SourceContext, ToolContext, ToolDefinition, ToolOutput, ToolSource } from '@ai-agent/core';
import { onTestFinished } from 'vitest';
import { openapiSource } from '../../src/openapi/openapi-source.ts';
import { Queues } from '../../src/queues.ts';
import { restSource } from '../../src/rest/rest-source.ts';
import type { ToolSetUp } from '../../src/set-up.ts';
import type { Surroundings } from '../../src/surroundings.ts';

export const realClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(durationMs, wake) {
    const timer = setTimeout(wake, durationMs);
    return () => clearTimeout(timer);
  },
};

export interface Heard {
  readonly method: string;
  /** Path and query, as they came. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface TestServer {
  readonly url: string;
  readonly heard: Heard[];
}

export type Answer = (heard: Heard, response: ServerResponse) => void;

/** Listens until the test is over. */
export async function serve(answer: Answer = (_, response) => response.end('ok')): Promise<TestServer> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: target = '', headers } = request;
      const one = { method, target, headers, body: Buffer.concat(chunks) };
      heard.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

export interface OpenOptions {
  readonly name?: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly isWanted?: ToolSetUp['isWanted'];
  readonly named?: readonly string[];
  readonly surroundings?: Surroundings;
  readonly rows?: Queues;
  readonly queues?: ToolSetUp['queues'];
}

export interface OpenTools {
  readonly tools: readonly ToolDefinition[];
  readonly hidden: readonly string[];
}

export function testSurroundings(): Surroundings {
  return { clock: realClock, cwd: tmpdir(), serverEnv: {}, version: '9.9.9' };
}

export function openRest(options: OpenOptions): Promise<OpenTools> {
  return open('restTools', options);
}

export function openOpenapi(options: OpenOptions): Promise<OpenTools> {
  return open('openapiSpecs', options);
}

/** One REST tool. */
export async function openTool(
  config: OpenOptions['config'],
  more: Partial<OpenOptions> = {},
): Promise<ToolDefinition> {
  const { tools } = await openRest({ ...more, config });
  return tools[0] as ToolDefinition;
}

/** A document in a file, and the folder it is in. */
export async function writeSpec(document: unknown, name = 'spec.json'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, name), typeof document === 'string' ? document : JSON.stringify(document));
  return folder;
}

/** The tools of a document; `servers` and `info` need not be in it. */
export async function openSpec(document: Record<string, unknown>, more: Partial<OpenOptions> = {}): Promise<OpenTools> {
  const folder = await writeSpec({ openapi: '3.1.0', info: { title: 't', version: '1' }, ...document });
  return await openOpenapi({ folder, ...more, config: { spec: 'spec.json', ...more.config } });
}

async function open(section: 'restTools' | 'openapiSpecs', options: OpenOptions): Promise<OpenTools> {
  const { name = 'it', config, env = {}, folder = tmpdir(), isWanted = () => true, named = [] } = options;
  const { surroundings = testSurroundings(), rows = new Queues(realClock), queues = new Map() } = options;
  const hidden: string[] = [];
  const setUp: ToolSetUp = { section, name, config, folder, isWanted, named, queues };
  const context: SourceContext = {
    env,
    signal: new AbortController().signal,
    isAttended: false,
    hide: (secret) => void hidden.push(secret),
  };
  const make = section === 'restTools' ? restSource : openapiSource;
  const source: ToolSource = make(setUp, { surroundings, queues: rows })(context);
  onTestFinished(async () => source.close?.());
  return { tools: (await source.list(context)) as readonly ToolDefinition[], hidden };
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (text: string) => void;
  readonly callPath?: string;
}

/** Calls a tool past core: arguments are not checked, and the output is as the tool gave it. */
export async function call(
  tool: ToolDefinition | undefined,
  args: unknown = {},
  { signal = new AbortController().signal, onProgress = () => {}, callPath = 'boss:worker' }: CallOptions = {},
): Promise<ToolOutput> {
  if (!tool) return 'no such tool';
  const agents = callPath.split(':');
  const caller = { place: { originId: 'o', ancestry: agents, agentIds: agents }, run: {} };
  const context = { signal, caller, env: {}, progress: onProgress } as unknown as ToolContext;
  return await tool.execute(args, context);
}

/** The failure of an output; fails the test when it is none. */
export function failureIn(output: ToolOutput) {
  if (typeof output === 'string' || output.type !== 'failure')
    throw new TypeError(`not a failure: ${JSON.stringify(output).slice(0, 300)}`);
  return output.failure;
}
