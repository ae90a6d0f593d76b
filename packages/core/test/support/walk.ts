// The front door for core's tests: scripted models, a fake clock, and the rules of the seam enforced.

import {
  type Agent,
  type AgentEvent,
  AIAgentSession,
  type AIAgentSessionConfig,
  inProcess,
  type JsonObject,
  type Outcome,
} from '@ai-agent/core';
import { FakeClock, fakePorts, type Script, scriptedModel, strict } from '@ai-agent/core/testing';

export const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));

export const strictRuntime = () => strict(inProcess, { nextTick });

type Options = Partial<Omit<AIAgentSessionConfig, 'agent'>>;

/** Starts a session of the agent and collects everything it tells. */
export function start(agent: Agent, prompt: string | JsonObject = 'go', options: Options = {}) {
  const clock = new FakeClock();
  const events: AgentEvent[] = [];
  const session = new AIAgentSession({
    ports: fakePorts({ clock }),
    runtime: strictRuntime(),
    onEvent: (event) => events.push(event),
    ...options,
    agent,
  });
  return { ...session.run(prompt), clock, events };
}

export async function walk(
  agent: Agent,
  prompt: string | JsonObject = 'go',
  options: Options = {},
): Promise<{ outcome: Outcome; events: AgentEvent[] }> {
  const { outcome, events, clock } = start(agent, prompt, options);
  return { outcome: await inItsTime(clock, outcome), events };
}

/** Lets time pass whenever nothing else can happen: pauses between tries end, and so do timeouts. */
export async function inItsTime<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  while (!isDone) {
    for (let i = 0; i < 10 && !isDone; i++) await nextTick();
    if (!isDone && clock.nextAt !== undefined) clock.advance(clock.nextAt - clock.now());
  }
  return work;
}

/** An agent with a scripted model, and nothing else unless said. */
export function agent(name: string, script: Script, more: Partial<Agent> = {}) {
  const model = scriptedModel(script);
  return { name, description: `does ${name}`, instructions: `You are ${name}.`, ...more, model };
}

export function factTypes(events: readonly AgentEvent[], sessionId?: string): string[] {
  return events.filter((e) => e.kind === 'fact' && (!sessionId || e.trace.selfId === sessionId)).map((e) => e.type);
}
