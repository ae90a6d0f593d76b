// The models of the chaos team. One request in five fails; every request is counted under the run its prompt names.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Chance } from '../chance.ts';
import { type Fault, fail, faultNames, type Reported, type Wire } from './faults.ts';
import { answerOf, children, lead, runIn, toolName } from './team.ts';

const faultShare = 0.2;
/** A model takes this long at most. */
const slowestMs = 30;

/** The requests of one run as its provider saw them. */
export interface Tally {
  requests: number;
  /** Requests whose usage the client cannot know. */
  unknown: number;
  inputTokens: number;
  outputTokens: number;
  /** True if the lead was given its whole answer. */
  isAnswered: boolean;
}

export interface Provider {
  readonly url: string;
  readonly faults: ReadonlyMap<Fault, number>;
  tally(run: string): Tally;
  /** The sum of all runs. */
  total(): Omit<Tally, 'isAnswered'>;
  close(): void;
}

export async function openProvider(seed: number): Promise<Provider> {
  const tallies = new Map<string, Tally>();
  const faults = new Map<Fault, number>(faultNames.map((name) => [name, 0]));
  const asked = new Map<string, number>();
  const tally = (run: string): Tally => {
    const known = tallies.get(run) ?? { requests: 0, unknown: 0, inputTokens: 0, outputTokens: 0, isAnswered: false };
    tallies.set(run, known);
    return known;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const wanted = JSON.parse(body) as Wanted;
    const run = runIn(body);
    const own = tally(run);
    own.requests++;
    const key = `${run} ${wanted.model}`;
    asked.set(key, (asked.get(key) ?? 0) + 1);
    // Chosen by the request and not by its moment: the same seed has the same faults in whatever order requests arrive.
    const chance = new Chance(seedOf(`${seed} ${key} ${asked.get(key)}`));
    const said = answer(wanted, run);
    const usage = { inputTokens: Math.ceil(body.length / 4), outputTokens: chance.pick([7, 11, 23, 41]) ?? 7 };
    const wire = toWire(wanted, said, usage);
    await new Promise((resolve) => setTimeout(resolve, chance.upTo(slowestMs)));
    const fault = chance.isTrue(faultShare) ? chance.pick(faultNames) : undefined;
    let reported: Reported = 'usage';
    if (fault) {
      faults.set(fault, (faults.get(fault) ?? 0) + 1);
      reported = fail(fault, response, wire, chance);
    } else response.writeHead(200, { 'content-type': wire.type }).end(wire.pieces.join(''));
    if (reported === 'unknown') own.unknown++;
    if (reported !== 'usage') return;
    own.inputTokens += usage.inputTokens;
    own.outputTokens += usage.outputTokens;
    if (!fault && said.text === answerOf(run)) own.isAnswered = true;
  };
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    tally,
    total: () => [...tallies.values()].reduce(addTally, { requests: 0, unknown: 0, inputTokens: 0, outputTokens: 0 }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function addTally(sum: Omit<Tally, 'isAnswered'>, one: Tally): Omit<Tally, 'isAnswered'> {
  return {
    requests: sum.requests + one.requests,
    unknown: sum.unknown + one.unknown,
    inputTokens: sum.inputTokens + one.inputTokens,
    outputTokens: sum.outputTokens + one.outputTokens,
  };
}

/** FNV-1a. */
function seedOf(key: string): number {
  let hash = 0x811c9dc5;
  for (const letter of key) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}

interface Wanted {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string }[];
}

interface Said {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: object }[];
}

/** The lead asks every child once, each child its tool once; both answer whatever came of that. */
function answer({ model, messages }: Wanted, run: string): Said {
  const hasResults = messages.some(({ role }) => role === 'tool');
  if (model === lead) {
    if (hasResults) return { text: answerOf(run) };
    return {
      calls: children.map((name) => ({
        name: `agent__${name}`,
        input: { text: `${run}, part of ${name}`, reason: `The part of ${name}` },
      })),
    };
  }
  return hasResults
    ? { text: `part of ${model}` }
    : { calls: [{ name: toolName, input: { word: `${run} ${model}` } }] };
}

function toWire({ stream = false }: Wanted, { text: content, calls = [] }: Said, usage: Usage): Wire {
  const tool_calls = calls.map(({ name, input }, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const message = { role: 'assistant', content: content ?? null, ...(calls.length > 0 ? { tool_calls } : {}) };
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
  const { inputTokens, outputTokens } = usage;
  const used = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
  const head = { id: 'c', created: 1, model: 'm' };
  if (!stream) {
    const whole = { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage: used };
    return { type: 'application/json', pieces: [JSON.stringify(whole)] };
  }
  const event = (choices: readonly object[], more: object = {}) =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`;
  const pieces = [
    event([{ index: 0, delta: message }]),
    event([{ index: 0, delta: {}, finish_reason }]),
    event([], { usage: used }),
    'data: [DONE]\n\n',
  ];
  return { type: 'text/event-stream', pieces };
}

interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}
