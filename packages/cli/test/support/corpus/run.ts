// One run of a file of the corpus, and everything that has to come of it.

import type { Asked, Call, Step } from './dialects.ts';
import type { TeamScript } from './gateway.ts';

export interface Run {
  /** Of its expectation. */
  readonly name: string;
  /** The file, flags and the prompt. */
  readonly args: readonly string[];
  readonly script: TeamScript;
  readonly stdout: string;
  /** @default nothing */
  readonly stderr?: string;
  /** @default 0 */
  readonly code?: number;
  /** What APIs were asked, in any order. @default nothing */
  readonly calls?: readonly string[];
  /** What the plug-in of the support desk filed. @default nothing */
  readonly tickets?: readonly object[];
  /** Who is asked when the same is run again: the answers of the others were kept. @default it is not run again */
  readonly again?: readonly string[];
}

export function call(name: string, input: object): Call {
  return { name, input };
}

/** A call of a sub-agent says why. */
export function ask(name: string, input: object): Call {
  return call(`agent__${name}`, { ...input, reason: `for ${name}` });
}

/** An answer as older prompts taught models to give it. */
export function inTags(report: string, format: string): string {
  return `<ai-agent-1a2b3c4d-FINAL format="${format}">\n${report}\n</ai-agent-1a2b3c4d-FINAL>`;
}

/** Has the long result that it was told of last read, by its handle. */
export function readKept(input: object): (asked: Asked) => Step {
  return ({ heard }) => {
    const [, handle = 'no handle'] = /kept as "([^"]+)"/.exec(heard.join('\n')) ?? [];
    return { calls: [call('tool_output', { handle, ...input })] };
  };
}

/** The same team on other models, behind another dialect. */
export function onModels(models: string, { name, args, ...run }: Run): Run {
  return { ...run, name: `${name}-on-${models.split('/')[0]}`, args: [...args, '--override', `models=${models}`] };
}
