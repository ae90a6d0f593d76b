// The process that is killed: serves root sessions and sessions below to the engine. `node worker.ts <port> <stand-in>`

import { createServer } from 'node:http2';
import { type Agent, AIAgentSession, type Fact, type Ports, runBranch } from '@ai-agent/cli';
import { strict } from '@ai-agent/cli/testing';
import { createEndpointHandler, TerminalError, type WorkflowContext, workflow } from '@restatedev/restate-sdk';
import { createStaff } from './agents.ts';
import type { Sent, Told } from './begin.ts';
import { restateRuntime } from './runtime.ts';

const [port, standIn = ''] = process.argv.slice(2);
const staff = createStaff(standIn);
const sessions = 'session';

const ports: Ports = {
  clock: {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    after(durationMs, wake) {
      const timer = setTimeout(wake, durationMs);
      return () => clearTimeout(timer);
    },
  },
  ids: { next: () => crypto.randomUUID() },
  models: staff.models.resolve,
};

/** What sessions handed over in this process: an attempt that walks again has to begin the same way. */
const walked = new Map<string, string[]>();

/** The rules of the seam hold on the engine too. */
function partsOf(ctx: WorkflowContext) {
  const facts: Fact[] = [];
  return {
    facts,
    ports,
    runtime: strict(restateRuntime(ctx, sessions), { history: walked }),
    onFact: (fact: Fact) => void facts.push(fact),
    // An attempt that is over must not go on spending: the next one does its work.
    signal: ctx.request().attemptCompletedSignal,
  };
}

/** The key of the workflow is the id of the run. */
function runRoot(agent: Agent) {
  return async (ctx: WorkflowContext, prompt: string) => {
    const { facts, ...parts } = partsOf(ctx);
    const session = new AIAgentSession({ agent, sessionId: ctx.key, ...parts });
    return { outcome: await session.run(prompt).outcome, facts };
  };
}

async function runBelow(ctx: WorkflowContext, { operation, history }: Sent): Promise<Told> {
  const tool = staff.find(operation.input.tool);
  if (!tool) throw new TerminalError(`There is no sub-agent ${operation.input.tool}.`);
  const { facts, ...parts } = partsOf(ctx);
  try {
    return { result: await runBranch(tool, operation, { ...parts, ...(history ? { history } : {}) }), facts };
  } catch (error) {
    // Anything else would be tried again for ever.
    throw new TerminalError(`Session ${operation.sessionId} broke off: ${String(error)}`);
  }
}

const services = [
  workflow({ name: 'lead', handlers: { run: runRoot(staff.lead) } }),
  workflow({ name: 'lead-of-one-clerk', handlers: { run: runRoot(staff.leadOfOne) } }),
  // Leaves its process while it waits for sessions below, and walks again from its records when they are there.
  workflow({
    name: 'lead-that-leaves',
    handlers: { run: runRoot(staff.narrowLead) },
    options: { inactivityTimeout: 50 },
  }),
  workflow({ name: sessions, handlers: { run: runBelow } }),
];

createServer(createEndpointHandler({ services })).listen(Number(port), '127.0.0.1', () => console.log('ready'));
