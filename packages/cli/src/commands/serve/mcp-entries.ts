// Where clients of the Model Context Protocol find a server, and the entry that one of them pastes into its configuration.

import { resolve } from 'node:path';
import { toSafeName } from '@ai-agent/core';
import type { Door } from './doors.ts';
import type { House } from './house.ts';
import { toUsable } from './reachable.ts';
import type { ServeSettings } from './serve-settings.ts';
import { startedAs } from './started-as.ts';

/** The address of the protocol behind a door; undefined where it is not spoken. */
export function mcpAddressOf({ listening, headend }: Door): string | undefined {
  const url = toUsable(listening.url);
  if (headend !== undefined && headend !== 'http' && headend !== 'sse' && headend !== 'ws') return undefined;
  if (headend === 'sse') return `${url}/mcp/sse`;
  return headend === 'ws' ? `${url.replace(/^http/, 'ws')}/mcp/ws` : `${url}/mcp`;
}

export interface EntryOptions {
  readonly house: House;
  readonly settings: ServeSettings;
  readonly agents: readonly { readonly name: string }[];
  readonly cwd: string;
}

/** One line of JSON, as `.mcp.json` and others have it: of the first place where clients find us. */
export function toMcpEntry({ house, settings, agents, cwd }: EntryOptions): string | undefined {
  const entry = settings.isOverStdio ? toCommand(settings, cwd) : toAddress(house);
  if (!entry) return undefined;
  const [first, second] = agents;
  const name = first && !second ? toSafeName(first.name) : 'agents';
  return JSON.stringify({ mcpServers: { [name]: entry } });
}

/** Nothing where what is served was not said but found: from another folder it would not be. */
function toCommand({ entries }: ServeSettings, cwd: string): object | undefined {
  if (entries.length === 0) return undefined;
  const { command, args } = startedAs();
  const served = entries.map((entry) => resolve(cwd, entry));
  return { command, args: [...args, 'serve', ...served, '--mcp', 'stdio'] };
}

function toAddress({ doors, hasKeys }: House): object | undefined {
  const door = doors.find((one) => mcpAddressOf(one) !== undefined);
  if (!door) return undefined;
  const headers = hasKeys ? { headers: { Authorization: 'Bearer <key>' } } : {};
  return { type: door.headend ?? 'http', url: mcpAddressOf(door), ...headers };
}
