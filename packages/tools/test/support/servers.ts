// Servers that others wrote, started from where they are installed.

import { fileURLToPath } from 'node:url';

const installed = (path: string) => fileURLToPath(new URL(`../../../../node_modules/${path}`, import.meta.url));

export const everything = installed('@modelcontextprotocol/server-everything/dist/index.js');
export const filesystem = installed('@modelcontextprotocol/server-filesystem/dist/index.js');
export const memory = installed('@modelcontextprotocol/server-memory/dist/index.js');
export const supergateway = installed('supergateway/dist/index.js');

/** The configuration of a server that is a script. */
export function started(script: string, ...args: readonly string[]) {
  return { command: process.execPath, args: [script, ...args] };
}

const own = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));

export const asking = own('asking-server.ts');
export const changing = own('changing-server.ts');
export const odd = own('odd-server.ts');
