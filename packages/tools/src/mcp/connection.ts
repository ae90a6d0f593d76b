// One connection to one server, made again when it breaks and somebody needs it.

import { AgentError, type ErrorCode, type FailureClass, isAgentError, type JsonObject, sleep } from '@ai-agent/core';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { Backoff } from './backoff.ts';
import { type FailedCall, fateOf, toFailedCall, toLostCall } from './call-failure.ts';
import { type Conceal, concealerFor } from './concealed.ts';
import { type Connected, connect, type Target } from './connect.ts';
import { isThere } from './is-there.ts';
import type { Answers, CallOptions, Link, McpTool } from './link.ts';
import { mendContent } from './mend-content.ts';
import { callOnce } from './one-call.ts';
import { ProgressReports } from './progress.ts';
import type { ServerConfig } from './server-config.ts';
import { ToolList } from './tool-list.ts';
import { until } from './until.ts';
import { WiresInUse } from './wires-in-use.ts';

export interface ConnectionOptions extends Pick<Target, 'surroundings' | 'groups' | 'route' | 'answers'> {
  readonly server: ServerConfig;
  /** Waits for a place among those that start; what it gives is called when the start is over. */
  readonly enterStart: (signal: AbortSignal) => Promise<() => void>;
}

/** How long a call waits for a server that has to be started again. */
const patienceMs = 10_000;
const listOfTools = 'the list of its tools';

export class Connection implements Link {
  readonly serverName: string;
  readonly #options: ConnectionOptions;
  readonly #conceal: Conceal;
  readonly #backoff: Backoff;
  readonly #end = new AbortController();
  readonly #listeners = new Set<Answers>();
  readonly #tools: ToolList;
  readonly #progress = new ProgressReports();
  readonly #wires = new WiresInUse();
  #current: Connected | undefined;
  #connecting: Promise<Connected> | undefined;
  #probing: Promise<void> | undefined;
  #instructions: string | undefined;
  #wasOpen = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.serverName = options.server.name;
    this.#conceal = concealerFor(options.server);
    this.#backoff = new Backoff(options.surroundings.clock);
    this.#tools = new ToolList(options.server, this.#end.signal);
  }

  get instructions(): string | undefined {
    return this.#instructions;
  }

  get protocolVersion(): string | undefined {
    return this.#current?.client.getNegotiatedProtocolVersion();
  }

  /** Connects, unless it is. */
  async open(signal: AbortSignal): Promise<void> {
    await this.#ready(signal);
  }

  get isOpen(): boolean {
    return this.#current !== undefined;
  }

  /** Hears what the server logs, until what it gives is called. */
  listen(answers: Answers): () => void {
    this.#listeners.add(answers);
    return () => this.#listeners.delete(answers);
  }

  /** Tells every secret that is or becomes known here, until what it gives is called. */
  hideFrom(hide: (secret: string) => void): () => void {
    return this.#options.route?.login?.hideFrom(hide) ?? (() => {});
  }

  async tools(signal: AbortSignal): Promise<readonly McpTool[]> {
    for (let attempt = 1; ; attempt++) {
      const current = await this.#ready(signal);
      try {
        return await until(this.#tools.read(current.client), signal);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const failure = await this.#judge(current, error, { what: listOfTools, signal });
        const mayRepeat = failure.isUnseen || failure.isLost;
        if (!mayRepeat || attempt === 2) throw withCode('tool-source-failed', failure.error);
      }
    }
  }

  async call(tool: string, args: JsonObject, options: CallOptions): Promise<CallToolResult> {
    for (let attempt = 1; ; attempt++) {
      const current = await this.#readyForCall(options.signal);
      try {
        const { server, route, answers } = this.#options;
        const settings = { server, route, answers, progress: this.#progress };
        const call = { tool, args, options, client: current.client, ...settings };
        return await this.#wires.during(current.wire, () => callOnce(call));
      } catch (error) {
        if (options.signal.aborted) throw this.#cancelled(current, options.signal);
        const failure = await this.#judge(current, error, { what: `the call of ${tool}`, signal: options.signal });
        if (failure.error.class === 'timeout') this.#probe(current);
        const mayRepeat = failure.isUnseen || (failure.isLost && options.isRepeatable);
        if (!mayRepeat || attempt === 2) throw failure.error;
      }
    }
  }

  /** Our process may end meanwhile. */
  letGo(): void {
    this.#current?.wire.stdio?.letGo();
  }

  hold(): void {
    this.#current?.wire.stdio?.hold();
  }

  async close(): Promise<void> {
    this.#end.abort(new AgentError('cancelled', `The connection to the server ${this.serverName} was closed.`));
    const current = this.#current;
    this.#current = undefined;
    await this.#connecting?.catch(() => {});
    if (current) await end(current);
    await this.#wires.endAll();
    await this.#options.route?.close();
  }

  async #ready(signal: AbortSignal): Promise<Connected> {
    signal.throwIfAborted();
    if (this.#probing) await until(this.#probing, signal);
    if (this.#current) return this.#current;
    if (this.#end.signal.aborted) throw this.#end.signal.reason;
    const { waitMs } = this.#backoff;
    if (!this.#connecting && waitMs > patienceMs) throw this.#notYet(waitMs);
    this.#connecting ??= this.#connectAgain(waitMs).finally(() => {
      this.#connecting = undefined;
    });
    return until(this.#connecting, signal);
  }

  /** A call does not wait for as long as a start may take. */
  async #readyForCall(signal: AbortSignal): Promise<Connected> {
    if (this.#current && !this.#probing) return this.#current;
    const late = new AbortController();
    const { clock } = this.#options.surroundings;
    const stop = clock.after(patienceMs, () => late.abort(this.#notYet(this.#backoff.waitMs)));
    try {
      return await until(this.#ready(signal), late.signal);
    } catch (error) {
      if (signal.aborted || this.#end.signal.aborted || !isAgentError(error)) throw error;
      throw withCode('tool-failed', error, error.class === 'auth' ? 'auth' : 'network');
    } finally {
      stop();
    }
  }

  async #connectAgain(waitMs: number): Promise<Connected> {
    const { surroundings, enterStart } = this.#options;
    const { signal } = this.#end;
    if (waitMs > 0) await sleep(surroundings.clock, waitMs, signal);
    const leave = await enterStart(signal);
    try {
      return await this.#connect(signal);
    } catch (error) {
      if (this.#wasOpen) this.#backoff.ended();
      throw error;
    } finally {
      leave();
    }
  }

  async #connect(signal: AbortSignal): Promise<Connected> {
    const hooks = {
      onToolsChanged: () => this.#tools.forget(),
      onLog: (level: string, text: string) => this.#log(level, text),
      onReceived: (message: unknown) => {
        mendContent(message);
        this.#tools.see(message);
        this.#progress.see(message);
      },
    };
    const current = await connect({ ...this.#options, conceal: this.#conceal, hooks }, signal);
    if (signal.aborted) {
      void end(current);
      throw signal.reason;
    }
    const isAgain = this.#wasOpen;
    current.client.onclose = () => this.#closed(current);
    this.#current = current;
    this.#wasOpen = true;
    this.#tools.begin(current.client);
    this.#instructions = current.client.getInstructions();
    this.#backoff.started();
    // What a tool gives back is checked against its description, which may be another one now.
    if (isAgain) await this.#tools.read(current.client).catch(() => {});
    return current;
  }

  #notYet(waitMs: number): AgentError {
    const why =
      waitMs > 0
        ? `has ended again and again: it is started again in ${Math.ceil(waitMs / 1000)} s at the earliest`
        : 'ended and is being started again, which takes long';
    return new AgentError('tool-source-failed', `The server ${this.serverName} ${why}.`, {
      class: 'network',
      retryable: true,
      remedy: 'Go on without it, or try again later.',
    });
  }

  async #judge(current: Connected, error: unknown, { what, signal }: Asked): Promise<Judged> {
    const { login } = this.#options.route ?? {};
    const { stdio, transport } = current.wire;
    const asked = { serverName: this.serverName, what, isOfList: what === listOfTools };
    const call: FailedCall = { ...asked, stdio, sessionId: transport.sessionId, conceal: this.#conceal };
    if (login?.isNeeded(error)) {
      await login.complete(error, AbortSignal.any([signal, this.#end.signal]));
      return { isUnseen: true, isLost: false, error: toFailedCall(call, error) };
    }
    const fate = fateOf(error, call);
    if (fate === 'answered') return { isUnseen: false, isLost: false, error: toFailedCall(call, error) };
    if (fate === 'lost') await this.#drop(current);
    else this.#forget(current);
    return { isUnseen: fate === 'forgotten', isLost: fate === 'lost', error: toLostCall(call, error) };
  }

  /** It is of no use any more. Its end is waited for, so that it can be told how it ended. */
  async #drop(current: Connected): Promise<void> {
    // Where each request has a connection of its own, the others may be well.
    if (current.wire.transport.hasPerRequestStream) {
      this.#forget(current);
      return;
    }
    this.#closed(current);
    const ended = current.wire.endNow().catch(() => {});
    if (current.wire.stdio) await ended;
  }

  /** The next who needs it begins anew; who is under way comes to an end. */
  #forget(current: Connected): void {
    if (this.#current === current) this.#current = undefined;
    this.#tools.forget();
    this.#wires.retire(current.wire);
  }

  #closed(current: Connected): void {
    if (this.#current !== current) return;
    this.#current = undefined;
    this.#tools.forget();
    this.#backoff.ended();
  }

  #cancelled(current: Connected, signal: AbortSignal): unknown {
    if (isAgentError(signal.reason) && signal.reason.class === 'timeout') this.#probe(current);
    return signal.reason;
  }

  /** After it did not answer in time. */
  #probe(current: Connected): void {
    if (this.#current !== current || this.#probing) return;
    this.#probing = isThere(current.client, this.#options.server.healthProbe)
      .then((isWell) => (isWell ? undefined : this.#drop(current)))
      .finally(() => {
        this.#probing = undefined;
      });
  }

  #log(level: string, text: string): void {
    const line = this.#conceal(text);
    for (const answers of this.#listeners) answers.log?.(level, line);
  }
}

interface Asked {
  readonly what: string;
  readonly signal: AbortSignal;
}

interface Judged {
  /** The server did not look at it. */
  readonly isUnseen: boolean;
  readonly isLost: boolean;
  readonly error: AgentError;
}

async function end({ client, wire }: Connected): Promise<void> {
  delete client.onclose;
  await wire.close().catch(() => {});
  await client.close().catch(() => {});
}

function withCode(code: ErrorCode, error: AgentError, failureClass: FailureClass = error.class): AgentError {
  const { message, remedy, retryable, status } = error;
  const options = { class: failureClass, remedy, retryable, cause: error };
  return new AgentError(code, message, status === undefined ? options : { ...options, status });
}
