// The servers of this process, for whoever embeds: what is asked for again shares those of before.

import type { Toolset } from '@ai-agent/tools';

/** By folder and home. None of their servers keeps the process alive. */
const toolsets = new Map<string, Promise<Toolset>>();

export function ownToolset(cwd: string, homeFolder: string | undefined): Promise<Toolset> {
  const key = JSON.stringify([cwd, homeFolder]);
  const toolset =
    toolsets.get(key) ?? import('./outside.ts').then(({ openOutside }) => openOutside({ cwd, homeFolder }));
  toolsets.set(key, toolset);
  return toolset;
}
