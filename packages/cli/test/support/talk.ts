// A talk with the real command in a pseudo-terminal, on a model that says what a script says.

import type { ModelRequest } from '@ai-agent/cli';
import type { Script, ScriptedServer } from '@ai-agent/cli/testing';
import { expect } from 'vitest';
import { agentFile, folderWith, localProvider } from './command.ts';
import { type InTerminal, startInTerminal, type TerminalStart } from './pty.ts';
import { served } from './served.ts';

export const keys = {
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  up: '\u001b[A',
  down: '\u001b[B',
  left: '\u001b[D',
  altEnter: '\u001b\r',
  backspace: '\u007f',
} as const;

/** What a terminal sends for text that is pasted. */
export function pasted(text: string): string {
  return `\u001b[200~${text.replaceAll('\n', '\r')}\u001b[201~`;
}

export interface Place {
  readonly model: ScriptedServer;
  readonly cwd: string;
}

/** A folder with `desk.ai`, a plain agent on this script. */
export async function desk(script: Script, files: Readonly<Record<string, string>> = {}): Promise<Place> {
  const model = await served(script);
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'description: Knows things', 'usage: What do you know?']),
    ...files,
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  return { model, cwd };
}

export interface InTalk extends InTerminal {
  /** Waits for an empty prompt, and sends this. */
  say(text: string): Promise<void>;
  /** Waits for the prompt with nothing but this typed. */
  prompts(typed?: string): Promise<void>;
  /** Everything that was ever shown, as one text. */
  seen(): string;
}

export function talk(
  { cwd }: Pick<Place, 'cwd'>,
  args: readonly string[] = [],
  start: Partial<TerminalStart> = {},
): InTalk {
  const terminal = startInTerminal(['chat', 'desk.ai', ...args], { cwd, ...start });
  const prompts = (typed = '') => terminal.shows(new RegExp(`(?:desk)?> ${typed} *$`));
  return {
    ...terminal,
    prompts,
    seen: () => terminal.history().join('\n'),
    async say(text) {
      await prompts();
      const shown = terminal.history().join('\n').trimEnd();
      terminal.type(`${text}\r`);
      // The prompt that stands there now is no sign that it was read.
      await expect.poll(() => terminal.history().join('\n').trimEnd(), { interval: 5 }).not.toBe(shown);
    },
  };
}

/** What the person has said in a request, oldest first. */
export function saidIn({ messages }: ModelRequest): readonly string[] {
  return messages.flatMap((message) =>
    message.role === 'user' ? [message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')] : [],
  );
}

/** An answer that tells all that it was told. */
export const echo: Script = (request) => `heard ${saidIn(request).join(' + ')}`;
