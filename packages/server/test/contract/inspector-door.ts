// The inspector as a door: a command for each thing that is asked, and what it prints is the answer.

import { type Agent, type Json, type JsonObject, resultOf } from '@ai-agent/core';
import { expect } from 'vitest';
import { type Inspection, inspect } from '../support/inspector.ts';
import { type ListedTool, revisions } from '../support/mcp-clients.ts';
import type { McpRoute } from '../support/mcp-routes.ts';
import type { Answered, Begun, Door, OpenDoor, Request } from './door.ts';
import { hallOf, readResult, toArguments } from './mcp-outcome.ts';

interface InspectorDoor extends Pick<Inspection, 'transport' | 'era'> {
  readonly route: McpRoute;
}

export function inspectorDoor({ route, transport, era }: InspectorDoor): Door {
  return {
    name: `the inspector ${route.name}, ${era === 'legacy' ? 'older' : 'newer'} revision`,
    cannot: {
      stream: 'a tool answers once',
      cancel: 'a command that is ended is a client that goes',
    },
    async open(agents) {
      const house = await route.serve(hallOf(agents));
      const inspection = { target: house.address, transport, era };
      return { ...toOpenDoor(inspection, agents), close: () => house.close() };
    },
  };
}

function toOpenDoor(inspection: Inspection, agents: readonly Agent[]): Omit<OpenDoor, 'close'> {
  const asked = new Map<string, string>();
  const revision = inspection.era === 'legacy' ? revisions.older : revisions.newer;
  const call = async (agent: string, args: JsonObject, signal?: AbortSignal): Promise<Answered> => {
    const options = ['--method', 'tools/call', '--tool-name', agent, '--tool-args-json', JSON.stringify(args)];
    const { code, result, stderr } = await inspect(inspection, options, signal);
    expect([0, 5], stderr).toContain(code);
    expect(code === 5, 'it ends with an error exactly where the result says so').toBe(result.isError ?? false);
    const answered = readResult(result, { ...toListed(agents, agent), revision });
    asked.set(answered.sessionId, agent);
    return answered;
  };
  const begin = (request: Request): Begun => {
    const gone = new AbortController();
    const answered = call(request.agent, toArguments(request), gone.signal);
    answered.catch(() => {});
    return { answered, leave: () => gone.abort(), cancel: async () => {} };
  };
  const ask = (request: Request) => begin(request).answered;
  return {
    begin,
    ask,
    stream: async (request) => ({ pieces: [], answered: await ask(request) }),
    answer: ({ sessionId }, answer: Json) => call(asked.get(sessionId) ?? '', { resume: sessionId, answer }),
  };
}

/** What was promised of it; that it is listed so is shown elsewhere. */
function toListed(agents: readonly Agent[], name: string): ListedTool {
  const agent = agents.find((one) => one.name === name);
  const output = agent && resultOf(agent);
  return { name, ...(output?.format === 'json' && output.schema ? { outputSchema: output.schema } : {}) };
}
