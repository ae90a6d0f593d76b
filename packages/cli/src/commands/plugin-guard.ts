// What the code of plugins may not spoil in a command: stdout, which is the answer's, and the exit code, which is the run's.

import { Console } from 'node:console';
import { isSecretName, messageOf, oneLine, withoutKeys } from '@ai-agent/core';
import { toPrintable } from '../render/printable.ts';
import { strikeAll } from './run/trace-text.ts';

/**
 * Called before the first plugin is imported, once, and holds until the process ends: so long a plugin may leave something
 * behind. Values that are secrets by then are struck from what is said.
 */
export function guardAgainstPlugins(
  secrets: () => readonly string[],
  write: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): void {
  const { stderr } = process;
  // The object that everybody has already, whichever way they came by it.
  Object.assign(globalThis.console, new Console(stderr, stderr));
  const said = new Set<string>();
  const tell = (error: unknown) => {
    const message = withoutKeys(strikeAll(messageOf(error), new Set([...secrets(), ...ownSecrets()])));
    const line = oneLine(toPrintable(`A plugin failed where nobody waited for it: ${message}`));
    // A clockwork that throws says it once.
    if (said.has(line)) return;
    said.add(line);
    write(line);
  };
  process.on('uncaughtException', tell);
  process.on('unhandledRejection', tell);
}

/** Of the process, which plugins can read. */
function ownSecrets(): readonly string[] {
  return Object.entries(process.env).flatMap(([name, value]) => (value && isSecretName(name) ? [value] : []));
}
