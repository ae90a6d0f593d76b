// The door of sessions that belong to no connection: started, followed to their end, then read.

import { MemoryPauses } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { Hall } from '../../src/index.ts';
import { parseEvents } from '../support/sse-events.ts';
import type { Answered, Begun, Door, OpenDoor, Request } from './door.ts';
import { fromDocument, fromError } from './rest-door.ts';
import { type Connect, textOf, type Wire } from './wires.ts';

interface DetachedDoor {
  readonly name: string;
  readonly connect: Connect;
}

export function detachedDoor({ name, connect }: DetachedDoor): Door {
  return {
    name,
    cannot: {
      stream: 'what was said before somebody followed is not said again, but for facts',
      disconnect: 'it belongs to no connection, so none ends it',
    },
    async open(agents) {
      const served = agents.map((agent) => ({ name: agent.name, agent }));
      const hall = new Hall({ agents: () => served, ports: fakePorts({ pauses: new MemoryPauses() }) });
      return toOpenDoor(await connect(hall));
    },
  };
}

function toOpenDoor(wire: Wire): OpenDoor {
  const begin = (request: Request): Begun => {
    const { agent, input, schema } = request;
    const form = schema ? { format: 'json', schema } : {};
    const created = post(wire, '/v1/sessions', { agent, input, ...form });
    const answered = created.then((reply) => outcomeOf(wire, reply));
    answered.catch(() => {});
    return {
      answered,
      leave: () => {},
      async cancel() {
        await post(wire, `/v1/sessions/${(await created).body.id}/cancel`);
      },
    };
  };
  return {
    begin,
    ask: (request) => begin(request).answered,
    stream: async (request) => ({ pieces: [], answered: await begin(request).answered }),
    answer: async ({ sessionId }, answer) =>
      outcomeOf(wire, await post(wire, `/v1/sessions/${sessionId}/answer`, { answer })),
    close: () => wire.close(),
  };
}

interface Reply {
  readonly status: number;
  /** What was JSON, read. */
  readonly body: ReturnType<typeof JSON.parse>;
}

async function post(wire: Wire, path: string, body: object = {}): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  const arrived = await wire.send(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: arrived.status, body: JSON.parse(await textOf(arrived)) };
}

/** Follows it to its end, and reads it then. */
async function outcomeOf(wire: Wire, { status, body }: Reply): Promise<Answered> {
  if (status >= 400) return fromError(body);
  const path = `/v1/sessions/${body.id}`;
  let last = '';
  for await (const { event } of parseEvents((await wire.send(`${path}/events`)).chunks)) last = event;
  if (last !== 'end') throw new TypeError(`The events of ${path} ended with ${last}.`);
  return fromDocument(JSON.parse(await textOf(await wire.send(path))));
}
