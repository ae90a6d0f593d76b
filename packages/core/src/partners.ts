// Agents that work on the same request as another: advisors before it, destinations in its place, handoffs after it.

import { checkFields, checkKeys, type Owner, wrongField } from './complaint.ts';
import { isObject } from './json.ts';
import type { OutputContract } from './model.ts';
import type { ToolCall } from './operation.ts';
import type { PartnerRole } from './place.ts';
import type { Said } from './text-material.ts';
import type { Caller } from './tool.ts';
import type { ToolResult } from './tool-result.ts';

/** Made by `asPartner`. */
export interface Partner {
  readonly agentName: string;
  /** Its id. @default its name */
  readonly agentId?: string;
  /** The name for people, and for the model of a router. */
  readonly label: string;
  /** What the model of a router chooses it by. */
  readonly description: string;
  /** Levels of sessions that its agent may need, itself included. */
  readonly levels: number;
  /** Whether its agent, or one below it, shares the workspace of the run. @default false */
  readonly sharesWorkspace?: boolean;
  /** Whether it, or somebody below it, may ask before it goes on. @default false */
  readonly mayAsk?: boolean;
  /** The contract that its answer keeps. */
  readonly output: OutputContract;
  /** All that its sessions depend on beside a call, for whoever keeps answers; nothing when it cannot be told. May hold secrets. */
  dependsOn?(): string | undefined;
  /** Runs its session to the end; never rejects because it went badly. The arguments are `PartnerArguments`. */
  startSession(call: ToolCall, caller: Caller, role: PartnerRole): Promise<ToolResult>;
}

/** What a partner is asked, made by the house and not by a model. */
export interface PartnerArguments {
  /** What was asked in the first place. */
  readonly request: string;
  /** What was said of it before, and is told with it. @default nothing */
  readonly said?: readonly Said[];
  /** What its answer has to be, when that is not its own contract. */
  readonly output?: OutputContract;
  /** Whether its answer is the answer of the session that calls, and no other follows. */
  readonly isLast?: boolean;
}

export interface Router {
  /** The agents that may be given the request, in the order they are told. */
  readonly destinations: readonly Partner[];
}

export interface Partners {
  readonly advisors?: readonly Partner[];
  readonly router?: Router;
  readonly handoff?: readonly Partner[];
}

export function hasPartners({ advisors, router, handoff }: Partners): boolean {
  return advisors !== undefined || router !== undefined || handoff !== undefined;
}

/** All of them, with what they are. */
export function partnersOf({ advisors = [], router, handoff = [] }: Partners): readonly [PartnerRole, Partner][] {
  return [
    ...advisors.map((partner): [PartnerRole, Partner] => ['advisor', partner]),
    ...(router?.destinations ?? []).map((partner): [PartnerRole, Partner] => ['router', partner]),
    ...handoff.map((partner): [PartnerRole, Partner] => ['handoff', partner]),
  ];
}

/** What callers get: the contract of the last agent of a chain, its own where nobody follows. */
export function resultOf(agent: Partners & { readonly output?: OutputContract }): OutputContract | undefined {
  return agent.handoff?.at(-1)?.output ?? agent.output;
}

/** Throws `agent-invalid`. */
export function checkPartners(owner: Owner, { advisors, router, handoff }: Partners): void {
  checkList(owner, 'advisors', advisors);
  checkList(owner, 'handoff', handoff);
  if (router === undefined) return;
  if (!isObject(router)) throw wrongField(owner, 'router', router, 'an object with destinations');
  checkKeys(owner, router, ['destinations'], 'router.');
  checkList(owner, 'router.destinations', router.destinations);
  const nameless = router.destinations?.findIndex(({ description }) => !description) ?? -1;
  if (nameless >= 0)
    throw wrongField(owner, `router.destinations[${nameless}].description`, '', 'text; its model chooses by that');
  if (!router.destinations?.length)
    throw wrongField(owner, 'router.destinations', router.destinations, 'a list of at least one agent');
}

function checkList(owner: Owner, field: string, list: readonly Partner[] | undefined): void {
  if (list === undefined) return;
  if (!Array.isArray(list)) throw wrongField(owner, field, list, 'a list of agents, each made with asPartner');
  const labels = new Set<string>();
  for (const [i, partner] of (list as readonly Partner[]).entries()) {
    if (!isObject(partner) || typeof (partner as Partial<Partner>).startSession !== 'function')
      throw wrongField(owner, `${field}[${i}]`, partner, 'an agent made with asPartner(…)');
    checkFields(owner, partner, types, `${field}[${i}].`);
    const { label } = partner as Partner;
    if (labels.has(label)) throw wrongField(owner, `${field}[${i}]`, label, 'another agent: it is in the list already');
    labels.add(label);
  }
}

const types = {
  agentName: 'text',
  agentId: 'text',
  label: 'text',
  description: 'text',
  levels: 'number',
  sharesWorkspace: 'boolean',
  mayAsk: 'boolean',
  output: 'object',
  dependsOn: 'function',
  startSession: 'function',
} as const;
