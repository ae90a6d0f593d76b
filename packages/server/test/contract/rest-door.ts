// REST as a door: what the suite asks becomes requests, and what comes back is read as a client would read it.

import { type Json, MemoryPauses } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { Hall } from '../../src/index.ts';
import { parseEvents } from '../support/sse-events.ts';
import type { Answered, Begun, Door, OpenDoor, Request, Streamed } from './door.ts';
import { type Arrived, type Connect, type Sending, textOf, type Wire } from './wires.ts';

export const documentType = 'application/vnd.ai-agent+json';

interface RestDoor {
  readonly name: string;
  readonly connect: Connect;
  /** What is accepted when nothing is streamed. @default the bare answer */
  readonly accept?: string;
}

export function restDoor({ name, connect, accept = '*/*' }: RestDoor): Door {
  return {
    name,
    async open(agents) {
      const served = agents.map((agent) => ({ name: agent.name, agent }));
      const hall = new Hall({ agents: () => served, ports: fakePorts({ pauses: new MemoryPauses() }) });
      return toOpenDoor(await connect(hall), accept);
    },
  };
}

function toOpenDoor(wire: Wire, accept: string): OpenDoor {
  const begin = (request: Request, how: 'ask' | 'stream'): Begun & { readonly streamed: Promise<Streamed> } => {
    const gone = new AbortController();
    const known = Promise.withResolvers<string>();
    const sending = { ...toSending(request, how === 'ask' ? accept : 'text/event-stream'), signal: gone.signal };
    const streamed = wire
      .send(pathOf(request), sending)
      .then((arrived) => (how === 'ask' ? readWhole(arrived) : readStream(arrived, known.resolve)));
    const answered = streamed.then((all) => all.answered);
    answered.catch(() => {});
    return {
      streamed,
      answered,
      leave: () => gone.abort(),
      async cancel() {
        const id = await known.promise;
        await wire.send(`/v1/sessions/${id}/cancel`, { method: 'POST' }).then(textOf);
      },
    };
  };
  return {
    begin,
    ask: (request) => begin(request, 'ask').answered,
    stream: (request) => begin(request, 'stream').streamed,
    async answer({ sessionId }, answer) {
      const body = JSON.stringify({ answer });
      const headers = { 'content-type': 'application/json', accept };
      const arrived = await wire.send(`/v1/sessions/${sessionId}/answer`, { method: 'POST', headers, body });
      return (await readWhole(arrived)).answered;
    },
    close: () => wire.close(),
  };
}

function pathOf({ agent, schema }: Request): string {
  const form = schema ? `?format=json&schema=${encodeURIComponent(JSON.stringify(schema))}` : '';
  return `/v1/${agent}${form}`;
}

function toSending({ input }: Request, accept: string): Sending {
  const isText = typeof input === 'string';
  const headers = { accept, 'content-type': isText ? 'text/plain' : 'application/json' };
  return { method: 'POST', headers, body: isText ? input : JSON.stringify(input) };
}

async function readWhole(arrived: Arrived): Promise<Streamed> {
  const body = await textOf(arrived);
  const { headers } = arrived;
  const type = headers.get('content-type') ?? '';
  if (type.startsWith(documentType)) return { pieces: [], answered: fromDocument(JSON.parse(body)) };
  if (arrived.status >= 400) return { pieces: [], answered: fromError(JSON.parse(body)) };
  const status = headers.get('x-ai-agent-status') as Answered['status'];
  const limit = headers.get('x-ai-agent-limit');
  const answered: Answered = {
    status,
    sessionId: headers.get('x-ai-agent-session') ?? '',
    text: status === 'needs_user_input' ? '' : body,
    ...(type.startsWith('application/json') ? { report: JSON.parse(body) as Json } : {}),
    ...(limit === null ? {} : { limit }),
    ...(status === 'needs_user_input' ? { question: body } : {}),
  };
  return { pieces: [], answered };
}

async function readStream(arrived: Arrived, onSession: (id: string) => void): Promise<Streamed> {
  if (!arrived.headers.get('content-type')?.startsWith('text/event-stream')) return readWhole(arrived);
  const pieces: string[] = [];
  let answered: Answered | undefined;
  for await (const { event, data } of parseEvents(arrived.chunks)) {
    if (answered) throw new TypeError(`After the outcome came ${event}.`);
    if (event === 'session') onSession(String(data.sessionId));
    if (event === 'text') pieces.push(String(data.text));
    if (event === 'discard') pieces.length = 0;
    if (event === 'outcome') answered = fromDocument(data);
  }
  if (!answered) throw new TypeError('The stream ended without an outcome.');
  return { pieces, answered };
}

type Document = Record<string, unknown> & { readonly question?: { text: string; choices?: readonly string[] } };

export function fromDocument({
  status,
  text,
  report,
  limit,
  question,
  failure,
  sessionId,
  format,
}: Document): Answered {
  return {
    status: status as Answered['status'],
    sessionId: String(sessionId),
    text: failure || question ? '' : String(text),
    ...(format === 'json' && report !== undefined ? { report: report as Json } : {}),
    ...(limit === undefined ? {} : { limit: String(limit) }),
    ...(question ? { question: [question.text, ...(question.choices ?? [])].join('\n') } : {}),
    ...(failure ? { failure: failure as NonNullable<Answered['failure']> } : {}),
  };
}

export function fromError({ error }: { error: NonNullable<Answered['failure']> & { sessionId?: string } }): Answered {
  const status = error.class === 'cancelled' ? 'cancelled' : 'failed';
  return { status, text: '', sessionId: error.sessionId ?? '', failure: error };
}
