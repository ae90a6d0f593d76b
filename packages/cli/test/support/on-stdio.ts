// The real command at the other end of two pipes: lines go in, messages of the protocol come out. Gone with the test.

import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { command, path } from './command.ts';

export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface OnStdio {
  readonly child: ChildProcess;
  /** A line as it is, or a message. */
  send(line: string | object): void;
  /** The first answer under this id, or the first message of this method, once it is there. */
  answer(id: string | number | null): Promise<Message>;
  told(method: string): Promise<Message>;
  /** Every line of stdout, as it came. */
  lines(): readonly string[];
  stderr(): string;
  /** The exit code, and how long after that question it ended. */
  readonly ended: Promise<number | null>;
}

export interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What a process of the command gets beside what a test says. */
export function environmentIn({ cwd, env = {} }: Place): Record<string, string> {
  return { PATH: path, HOME: join(cwd, 'home'), NODE_COMPILE_CACHE: join(tmpdir(), 'ai-agent-test-cache'), ...env };
}

export function onStdio(args: readonly string[], place: Place): OnStdio {
  const child = spawn(command, args, { cwd: place.cwd, env: environmentIn(place), stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said.stdout += text;
    for (const look of waiting) look();
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said.stderr += text;
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines = () => said.stdout.split('\n').filter((line) => line !== '');
  const first = (fits: (message: Message) => boolean) =>
    new Promise<Message>((resolve, reject) => {
      const look = () => {
        const whole = said.stdout.slice(0, said.stdout.lastIndexOf('\n') + 1).split('\n');
        const found = whole.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Message])).find(fits);
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
      ended.then((code) => reject(new Error(`It ended with ${code}: ${said.stdout}${said.stderr}`)));
    });
  return {
    child,
    send: (line) => void child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
    answer: (id) => first((message) => message.id === id && message.method === undefined),
    told: (method) => first((message) => message.method === method),
    lines,
    stderr: () => said.stderr,
    ended,
  };
}

export const initialize = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

export const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

export function toolCall(id: string | number, name: string, text: string, more: object = {}): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { text }, ...more } };
}
