// The servers of an agent and its sub-agents that somebody may sign in to.

import type { NamedTools } from '@ai-agent/agents';
import { nearest } from '@ai-agent/core';
import { findLogin, type Login, type Toolset } from '@ai-agent/tools';
import { flagValue, type Words } from '../arguments.ts';
import type { Terminal } from '../terminal.ts';
import { toRequest } from './find-agents.ts';
import { type LoadRequest, loadAgents, notOneFile, refuse } from './load.ts';
import { misuse } from './misuse.ts';

export interface Found {
  readonly servers: readonly { readonly named: NamedTools; readonly login: Login }[];
  readonly toolset: () => Promise<Toolset>;
  readonly close: () => Promise<void>;
}

export interface Search extends Pick<LoadRequest, 'outside'> {
  readonly command: string;
  readonly terminal: Terminal;
}

/** An exit code when there is none; why was said. */
export async function findLogins(words: Words, { command, terminal, outside }: Search): Promise<Found | number> {
  const isJson = flagValue(words, '--json') !== undefined;
  const refuseAs = (problem: string) => misuse(terminal, problem, { help: `ai-agent ${command} --help`, isJson });
  const [file, server, another] = words.words.map(({ text }) => text);
  if (file === undefined || another !== undefined)
    return refuseAs('Name the file of an agent, and a server if only one is meant.');
  const not = notOneFile(file, terminal.input.cwd);
  if (not !== undefined) return refuseAs(not);
  const named: NamedTools[] = [];
  const request = {
    ...toRequest([file], words, { purpose: 'tools', onTools: (one) => named.push(one) }),
    ...(outside ? { outside } : {}),
  };
  const { problems, toolset, close } = await loadAgents(request);
  if (problems.some(({ severity }) => severity === 'error'))
    return refuse(problems, { entries: request.entries, isJson }, terminal);
  const all = withoutRepeats(named);
  const servers = server === undefined ? all : all.filter((one) => one.named.name === server);
  if (servers.length > 0) return { servers, toolset, close };
  if (all.length === 0) return refuseAs(`No agent of ${file} has a server that one can sign in to.`);
  const names = all.map((one) => one.named.name);
  const meant = nearest(server ?? '', names);
  const hint = meant === undefined ? `there is ${names.join(', ')}.` : `did you mean ${meant}?`;
  return refuseAs(`No agent of ${file} has a server ${server} that one can sign in to; ${hint}`);
}

/** Several agents may name the same. */
function withoutRepeats(named: readonly NamedTools[]): Found['servers'] {
  const found = named.flatMap((one) => {
    const login = findLogin(one, one.env);
    return login ? [{ named: one, login }] : [];
  });
  return [...new Map(found.map((one) => [`${one.named.name} ${one.login.key}`, one])).values()];
}
