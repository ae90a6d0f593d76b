// A server on this machine, spoken to over the standard streams of a process of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { AgentError } from '@ai-agent/core';
import { type JSONRPCMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import { Lines } from './lines.ts';
import { inOwnGroup, type ProcessGroups, signalGroup } from './process-groups.ts';
import { readMessage } from './read-message.ts';
import { StderrTail } from './stderr-tail.ts';

export interface StdioOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** All of it: nothing of ours is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly groups: ProcessGroups;
  onStderr(line: string): void;
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export const maxMessageBytes = 10 * 1024 * 1024;
/** How much may wait for a server to read it, in bytes and in messages. */
export const mostUnreadBytes = 2 * maxMessageBytes;
const mostUnread = 10_000;
/** How long a server has to leave by itself, and then after it was told to. */
const graceMs = 1_000;
/** How long pipes are read after the process is gone: somebody else may hold them open. */
const drainMs = 300;

type Streams = ChildProcess & {
  readonly stdin: NonNullable<ChildProcess['stdin']>;
  readonly stdout: NonNullable<ChildProcess['stdout']>;
  readonly stderr: NonNullable<ChildProcess['stderr']>;
};

/** The SDK knows transports of this kind by `stderr` and `pid`, and takes silence from them for an older server. */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly stderr = null;
  readonly #options: StdioOptions;
  readonly #stderr: StderrTail;
  readonly #lines: Lines;
  readonly #gone = Promise.withResolvers<void>();
  #child: Streams | undefined;
  #exit: Exit | undefined;
  #fault: AgentError | undefined;
  #unread = 0;
  #isGone = false;

  constructor(options: StdioOptions) {
    this.#options = options;
    this.#stderr = new StderrTail(options.onStderr);
    this.#lines = new Lines(maxMessageBytes, (line) => readMessage(line, this));
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get exit(): Exit | undefined {
    return this.#exit;
  }

  /** Why we ended it, when it was our doing. */
  get fault(): AgentError | undefined {
    return this.#fault;
  }

  get stderrTail(): string {
    return this.#stderr.text;
  }

  /** Settles when nothing of it runs any more. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd, groups } = this.#options;
    const child = spawn(command, [...args], { cwd, env, stdio: 'pipe', ...inOwnGroup });
    const started = Promise.withResolvers<void>();
    child.once('spawn', () => started.resolve());
    child.on('error', (error) => {
      started.reject(error);
      if (child.pid === undefined) this.#finish();
      else this.onerror?.(error);
    });
    this.#child = child;
    groups.add(child);
    this.#listen(child);
    await started.promise;
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable)
      return Promise.reject(new AgentError('tool-failed', 'The server is gone.', { class: 'network' }));
    if (this.#unread >= mostUnread || stdin.writableLength > mostUnreadBytes)
      return Promise.reject(this.#end('It does not read what it is sent, so it was ended.'));
    this.#unread++;
    return new Promise((resolve, reject) => {
      stdin.write(serializeMessage(message), (error) => {
        this.#unread--;
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Lets it leave by itself first. Settles when it is gone. */
  async close(): Promise<void> {
    if (!this.#child || this.#isGone) return;
    this.hold();
    this.#child.stdin.end();
    if (await this.#isGoneWithin(graceMs)) return;
    await this.endNow();
  }

  /** The same without that. */
  async endNow(): Promise<void> {
    const child = this.#child;
    if (!child || this.#isGone) return;
    this.hold();
    child.stdin.end();
    signalGroup(child, 'SIGTERM');
    if (await this.#isGoneWithin(graceMs)) return;
    signalGroup(child, 'SIGKILL');
    await this.#gone.promise;
  }

  /** Keeps our process alive for it, which is so from the start. */
  hold(): void {
    for (const part of this.#parts()) part.ref?.();
  }

  /** Our process may end while it runs; it is ended then. */
  letGo(): void {
    for (const part of this.#parts()) part.unref?.();
  }

  #parts(): readonly { ref?(): unknown; unref?(): unknown }[] {
    const child = this.#child;
    // Pipes are sockets, though their types do not say so.
    return child ? [child, child.stdin as object, child.stdout as object, child.stderr as object] : [];
  }

  #listen(child: Streams): void {
    child.stdout.on('data', (chunk: Buffer) => {
      if (this.#fault || this.#lines.push(chunk)) return;
      this.#end(`It wrote a message of more than ${maxMessageBytes / 1024 / 1024} MB, so it was ended.`);
    });
    child.stdout.once('end', () => this.#endUnlessGone(child));
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.on('error', (error: Error) => this.onerror?.(error));
    child.once('exit', (code, signal) => {
      this.#exit = { code, signal };
      // Whatever it started and left behind holds the pipes, and would go on for ever.
      signalGroup(child, 'SIGKILL');
      const timer = setTimeout(() => this.#finish(), drainMs);
      child.once('close', () => {
        clearTimeout(timer);
        this.#finish();
      });
    });
  }

  /** Nothing more can come from it. Most are about to leave then, and some are told to. */
  #endUnlessGone({ stdin }: Streams): void {
    const timer = setTimeout(() => {
      if (!this.#exit && !stdin.writableEnded) this.#end('It closed its output, so it was ended.');
    }, drainMs);
    void this.#gone.promise.then(() => clearTimeout(timer));
  }

  #end(why: string): AgentError {
    this.#fault ??= new AgentError('tool-failed', why, { class: 'network' });
    this.onerror?.(this.#fault);
    void this.endNow();
    return this.#fault;
  }

  #finish(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const child = this.#child;
    if (child) {
      this.#options.groups.remove(child);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    }
    this.#stderr.end();
    this.#gone.resolve();
    this.onclose?.();
  }

  async #isGoneWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([this.#gone.promise, late]);
    clearTimeout(timer);
    return this.#isGone;
  }
}
