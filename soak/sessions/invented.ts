// Sessions as they come to be, by the thousand: facts of real runs, under heads that chance has made.

import { type Agent, AIAgentSession, asTool, type Fact, type SessionHead, type SessionStatus } from '@ai-agent/core';
import { defaultPorts } from '../../packages/cli/src/platform.ts';
import { scriptedModel } from '../../packages/cli/src/testing.ts';
import type { Chance } from '../chance.ts';

export interface Invented {
  readonly head: SessionHead;
  readonly facts: readonly Fact[];
}

/** One in so many has many turns, and long texts. */
const largeOneIn = 1_000;
const agents = 40;
const owners = 25;
/** What most end as comes first. */
const statuses: readonly SessionStatus[] = ['completed', 'failed', 'partial', 'cancelled', 'needs_user_input'];

export class Invention {
  readonly #chance: Chance;
  readonly #usual: readonly Fact[];
  readonly #large: readonly Fact[];

  static async begin(chance: Chance): Promise<Invention> {
    return new Invention(chance, await factsOf(2, 40), await factsOf(40, 4_000));
  }

  private constructor(chance: Chance, usual: readonly Fact[], large: readonly Fact[]) {
    this.#chance = chance;
    this.#usual = usual;
    this.#large = large;
  }

  /** How many facts most have. */
  get usual(): number {
    return this.#usual.length;
  }

  /** One that was created at this moment; those of many agents and keys are rare. */
  session(createdAt: number): Invented {
    const chance = this.#chance;
    const facts = chance.isTrue(1 / largeOneIn) ? this.#large : this.#usual;
    const status = chance.isTrue(0.9) ? 'completed' : (chance.pick(statuses) ?? 'completed');
    const head: SessionHead = {
      id: newId(chance),
      agent: `agent-${mostlyFirst(chance, agents)}`,
      owner: `key-${mostlyFirst(chance, owners)}`,
      headend: chance.pick(['rest', 'mcp', 'openai', 'anthropic']) ?? 'rest',
      isDetached: chance.isTrue(0.5),
      status,
      createdAt,
      endedAt: createdAt + Math.round(chance.upTo(60_000)),
      title: `What became of order ${Math.round(chance.upTo(1e6))}, and who has it now?`,
      facts: facts.length,
      resumptions: 0,
    };
    return { head, facts };
  }
}

/** The first is had by a third of them, the last by one in thousands. */
function mostlyFirst(chance: Chance, count: number): number {
  return Math.floor(count * chance.next() ** 4);
}

function newId(chance: Chance): string {
  return Array.from({ length: 26 }, () => chance.pick([...'23456789abcdefghijkmnpqrstuvwxyz'])).join('');
}

/** What a lead and its child tell when the child is asked so often, and says so much. */
async function factsOf(calls: number, length: number): Promise<readonly Fact[]> {
  const words = 'Nothing else was found. '.repeat(Math.ceil(length / 24));
  const child: Agent = {
    name: 'reader',
    description: 'Reads',
    instructions: 'You read.',
    model: scriptedModel(() => words),
  };
  let left = calls;
  const model = scriptedModel(() => {
    if (left === 0) return words;
    left--;
    return { calls: [{ name: 'agent__reader', input: { text: words, reason: 'to know' } }] };
  });
  const agent: Agent = {
    name: 'lead',
    instructions: 'You lead.',
    model,
    tools: [asTool(child)],
    limits: { maxTurns: 2 * calls },
  };
  const facts: Fact[] = [];
  const onEvent = (event: { readonly kind: string }) => {
    if (event.kind === 'fact') facts.push(event as Fact);
  };
  const { status } = await new AIAgentSession({ agent, ports: defaultPorts(), onEvent }).run('Read it.').outcome;
  if (status !== 'completed') throw new Error(`A run for its facts has ${status}.`);
  return facts;
}
