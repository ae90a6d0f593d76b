// Names that every provider accepts, and finding the tool a model meant.

import { hash } from './text.ts';

/** Of the tool that reads long results, and of who reads them for it. */
export const toolOutputName = 'tool_output';

const maxLength = 64;

/** `research.icp` becomes `research_icp`. What is too long, or not in our letters, is told apart by a hash of the whole. */
export function toSafeName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9_-]/g, '_') || '_';
  const isForeign = /[\u0080-\uffff]/.test(name);
  if (safe.length <= maxLength && !isForeign) return safe;
  return `${safe.slice(0, maxLength - 9)}_${hash(name)}`;
}

export function agentToolName(name: string): string {
  return toSafeName(`agent__${name}`);
}

interface Named {
  readonly name: string;
  readonly namespace: string;
  readonly isDenied?: boolean;
}

/** For people: by its label; what comes from outside by the name that models call it, as two servers may have a tool of one name. */
export function shownName({ name, label, namespace }: Named & { readonly label: string }): string {
  return namespace === '' || namespace === 'agent' ? label : name;
}

/**
 * As it was offered; else with or without the prefix of its namespace, when exactly one tool fits. What may not be called is
 * meant only when nothing else can be.
 */
export function findTool<T extends Named>(called: string, offered: readonly T[]): T | undefined {
  const exact = offered.find(({ name }) => name === called) ?? offered.find(({ name }) => name === toSafeName(called));
  if (exact) return exact;
  const fitting = offered.filter(({ name, namespace }) => {
    if (namespace === '') return false;
    const prefix = `${namespace}__`;
    return name === toSafeName(`${prefix}${called}`) || toSafeName(called) === toSafeName(`${prefix}${name}`);
  });
  const callable = fitting.filter(({ isDenied }) => !isDenied);
  const meant = callable.length > 0 ? callable : fitting;
  return meant.length === 1 ? meant[0] : undefined;
}
