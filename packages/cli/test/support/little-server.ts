// The set-up of the small server, and whether any of its processes is still there.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const script = join(import.meta.dirname, 'little-server.mjs');

/** Of mcpServers: `marks` are seen in the command line of its process. */
export function littleServer(...marks: readonly string[]): object {
  return { command: process.execPath, args: [script, ...marks] };
}

/** How many processes have this word in their command line. */
export function processesWith(mark: string): number {
  return readdirSync('/proc').filter((id) => /^\d+$/.test(id) && commandLine(id).includes(mark)).length;
}

/** Gone while we look, and so without one; what is dead and not yet buried has none either. */
function commandLine(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
