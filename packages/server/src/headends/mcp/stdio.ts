// One client at the two ends of this process: served until its input ends, or nobody reads what is written.

import type { Readable, Writable } from 'node:stream';
import type { Hall } from '../../hall.ts';
import { anybody } from '../../visitor.ts';
import { AgentServers } from './agent-servers.ts';
import { serveConnection } from './connections.ts';
import { LineTransport } from './line-transport.ts';

export interface StreamsOptions {
  /** A message in each line. Its end is the end of the connection. */
  readonly input: Readable;
  /** Gets messages of the protocol alone, one in each line. */
  readonly output: Writable;
  /** What the server says its version is. */
  readonly version: string;
  /** Whether the instructions of agents are offered as prompts. @default true */
  readonly prompts?: boolean;
  /** Told, in a sentence, what went wrong with what came in. @default nobody */
  readonly onProblem?: (sentence: string) => void;
  /** How long a message may be. @default 10 MB */
  readonly maxMessageBytes?: number;
  /** How much may wait for whoever reads the output; while it is more, nothing is read. @default 4 MB */
  readonly maxWaitingBytes?: number;
  /** What requests under way get when the input has ended; then they are cancelled. @default 1 second */
  readonly graceMs?: number;
}

export interface OverStreams {
  /** Settles when the input has ended, when nobody reads the output any more, or when it was closed. Never rejects. */
  readonly ended: Promise<void>;
  /** Cancels what is under way. */
  close(): Promise<void>;
}

/** For the last words to be read. */
const lastWordsMs = 500;

export const streamDefaults = { maxMessageBytes: 10 * 2 ** 20, maxWaitingBytes: 4 * 2 ** 20, graceMs: 1_000 } as const;

export function serveStreams(hall: Hall, options: StreamsOptions): OverStreams {
  const {
    input,
    output,
    version,
    prompts = true,
    onProblem = () => {},
    maxMessageBytes = streamDefaults.maxMessageBytes,
    maxWaitingBytes = streamDefaults.maxWaitingBytes,
    graceMs = streamDefaults.graceMs,
  } = options;
  const transport = new LineTransport({ input, output, maxMessageBytes, maxWaitingBytes, onProblem });
  const servers = new AgentServers(hall, { version, prompts });
  const lost = () => ({ signal: transport.lost, done: () => {} });
  const connection = serveConnection(servers, { visitor: anybody, lost }, transport, {
    onError: ({ message }) => onProblem(`MCP on stdin: ${message}`),
  });
  const close = async () => {
    // Who reads nothing must not keep it open.
    const late = setTimeout(() => void transport.close(), lastWordsMs);
    await connection.close();
    clearTimeout(late);
    await transport.close();
    servers.close();
  };
  const ended = Promise.race([transport.finished(graceMs), transport.closed])
    .then(close)
    .catch(hall.onBug);
  return { ended, close };
}
