// Where agents are tools of the Model Context Protocol, as `--mcp` says it: `stdio`, or `http:8080`, `sse:8080`, `ws:8080`.

import type { McpTransport } from '@ai-agent/server';

export interface McpPlaces {
  /** On the two streams of the process, for whoever started it. */
  readonly isOverStdio: boolean;
  /** Each on a port of its own. */
  readonly mcpPorts: readonly McpPort[];
}

export interface McpPort {
  readonly transport: McpTransport;
  readonly port: number;
}

const lastPort = 65_535;

/** What cannot be meant is told as a sentence. */
export function readMcpPlaces(values: readonly string[], problems: string[]): McpPlaces {
  const onStdio = values.filter((value) => value === 'stdio');
  if (onStdio.length > 1) problems.push('--mcp stdio may stand once: the process has one stdin.');
  const mcpPorts = values.flatMap((value) => (value === 'stdio' ? [] : (toPort(value, problems) ?? [])));
  return { isOverStdio: onStdio.length > 0, mcpPorts };
}

function toPort(value: string, problems: string[]): McpPort | undefined {
  const [, transport, said] = /^(http|sse|ws)(?::(.*))?$/.exec(value) ?? [];
  if (transport === undefined) {
    problems.push(`--mcp must be stdio, http:<port>, sse:<port> or ws:<port>; "${value}" is none.`);
    return undefined;
  }
  const port = Number(said);
  if (/^\d+$/.test(said ?? '') && port <= lastPort) return { transport: transport as McpTransport, port };
  const wrong = said ? `; "${said}" is none` : ', which is missing';
  problems.push(`--mcp ${transport}: needs a port from 0 to ${lastPort}, such as ${transport}:8080${wrong}.`);
  return undefined;
}
