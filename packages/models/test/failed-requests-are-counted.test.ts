// Requests to a provider that fail are in the ledger and in the budget: with what was reported, or as unknown.

import type { ServerResponse } from 'node:http';
import { type Agent, AgentError, ask, type Budget, finSummaryOf, type Model, type Outcome } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { createTransport, fromLanguageModel } from '@ai-agent/models';
import { createOpenAI } from '@ai-sdk/openai';
import { describe, expect, onTestFinished, test } from 'vitest';
import { modelAt } from './support/calling.ts';
import { closedPort } from './support/closed-port.ts';
import { serve, serveBytes } from './support/raw-server.ts';
import { serveHangUps, serveSelfSigned } from './support/tls-servers.ts';
import { anthropic } from './support/wires/anthropic.ts';
import { wires } from './support/wires/index.ts';
import { serveWire } from './support/wires/serve-wire.ts';

type Answer = (response: ServerResponse) => void;

const events = { 'content-type': 'text/event-stream' };
const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

/** Streams a word and loses the connection. */
const cut: Answer = (response) => {
  response.writeHead(200, events);
  response.write(data({ id: 'c', model: 'm', choices: [{ index: 0, delta: { content: 'Hel' } }] }), () => {
    response.socket?.destroy();
  });
};

const whole: Answer = (response) => {
  response.writeHead(200, events);
  response.write(
    data({ id: 'c', model: 'm', choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }] }),
  );
  response.end(`${data({ choices: [], usage: { prompt_tokens: 1500, completion_tokens: 5 } })}data: [DONE]\n\n`);
};

const status =
  (code: number): Answer =>
  (response) => {
    response.writeHead(code, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `status ${code}` } }));
  };

const quick = {
  now: () => 1_700_000_000_000,
  monotonicMs: () => performance.now(),
  after(durationMs: number, wake: () => void) {
    const timer = setTimeout(wake, durationMs / 100);
    return () => clearTimeout(timer);
  },
};

async function askOf(
  answers: readonly Answer[],
  {
    budget = {},
    maxRetries = 3,
    before = [],
  }: { budget?: Budget; maxRetries?: number; before?: readonly Model[] } = {},
) {
  let asked = 0;
  const { baseUrl } = await serve((_, response) => answers[Math.min(asked++, answers.length - 1)]?.(response));
  const model = await modelAt(baseUrl);
  const agent: Agent = {
    name: 'lead',
    instructions: 'You lead.',
    model: [...before, model],
    limits: { maxRetries },
    budget,
    settings: { stream: true },
  };
  const ports = fakePorts({ clock: quick, prices: () => ({ input: 1, output: 1 }) });
  const outcome = await ask(agent, 'go', { ports });
  return { outcome, asked };
}

function figuresOf({ usage }: Outcome) {
  const { modelCalls, failedCalls, inputTokens, outputTokens, unknownUsageCalls, unknownCostCalls } = usage;
  return { modelCalls, failedCalls, tokens: inputTokens + outputTokens, unknownUsageCalls, unknownCostCalls };
}

describe('a request that fails is counted', () => {
  test('a stream that is cut in the middle has unknown usage', async () => {
    const { outcome, asked } = await askOf([cut, cut, whole]);
    expect(asked).toBe(3);
    expect(outcome).toMatchObject({ status: 'completed', text: 'Hello' });
    const figures = { modelCalls: 3, failedCalls: 2, tokens: 1505, unknownUsageCalls: 2, unknownCostCalls: 2 };
    expect(figuresOf(outcome)).toEqual(figures);
    expect(outcome.ledger.total).toEqual(outcome.usage);
    expect(outcome.ledger.entries.map(({ status }) => status)).toEqual(['failed', 'failed', 'ok']);
    expect(outcome.tree?.usage).toEqual(outcome.usage);
    expect(outcome.tree?.turns[0]?.operations[0]).toMatchObject({ total: outcome.usage });
    expect(finSummaryOf(outcome.ledger).lines.at(-1)).toContain(
      '1500+? in + 5+? out tokens (2 requests of unknown usage)',
    );
  });

  test('a refusal with HTTP 4xx used nothing', async () => {
    const { outcome } = await askOf([status(429), whole]);
    const figures = { modelCalls: 2, failedCalls: 1, tokens: 1505, unknownUsageCalls: 0, unknownCostCalls: 0 };
    expect(figuresOf(outcome)).toEqual(figures);
  });

  test('trouble with HTTP 5xx has unknown usage', async () => {
    const { outcome } = await askOf([status(503), whole]);
    expect(figuresOf(outcome)).toMatchObject({ modelCalls: 2, unknownUsageCalls: 1 });
  });

  test('the last attempt of a model call that fails counts too', async () => {
    const { outcome, asked } = await askOf([cut], { maxRetries: 2 });
    expect(asked).toBe(2);
    expect(outcome.status).toBe('failed');
    expect(figuresOf(outcome)).toMatchObject({ modelCalls: 2, failedCalls: 2, unknownUsageCalls: 2 });
  });

  test('a connection that is refused used nothing', async () => {
    const model = await modelAt(`http://127.0.0.1:${await closedPort()}/v1`);
    const agent: Agent = { name: 'lead', instructions: 'You lead.', model, limits: { maxRetries: 2 } };
    const outcome = await ask(agent, 'go', { ports: fakePorts({ clock: quick }) });
    expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'network' } });
    expect(figuresOf(outcome)).toMatchObject({ modelCalls: 2, tokens: 0, unknownUsageCalls: 0 });
  });

  test.each<[string, () => Promise<string>]>([
    ['without TLS', async () => (await serve((_, response) => response.end())).baseUrl],
    ['that answers no TLS greeting', () => serveBytes('')],
    ['that hangs up before TLS is established', serveHangUps],
    ['with a certificate that cannot be trusted', serveSelfSigned],
  ])('an https request to a server %s used nothing', async (_, serving) => {
    const transport = createTransport({ connectTimeoutMs: 50 });
    onTestFinished(() => transport.close());
    const dead = await modelAt((await serving()).replace('http:', 'https:'), { transport });
    const { outcome, asked } = await askOf([whole], { before: [dead], budget: { tokens: 5_000 } });
    expect(outcome).toMatchObject({ status: 'completed', text: 'Hello' });
    expect(asked).toBe(1);
    const { modelCalls, failedCalls, tokens, unknownUsageCalls } = figuresOf(outcome);
    expect(modelCalls).toBe(failedCalls + 1);
    expect({ isTried: failedCalls > 0, tokens, unknownUsageCalls }).toEqual({
      isTried: true,
      tokens: 1505,
      unknownUsageCalls: 0,
    });
  });

  test('a connection that breaks after the request was sent has unknown usage', async () => {
    const { outcome } = await askOf([(response) => response.destroy(), whole]);
    expect(figuresOf(outcome)).toMatchObject({ modelCalls: 2, unknownUsageCalls: 1 });
  });

  test('a host that becomes unreachable after the request was sent has unknown usage', async () => {
    const cause = Object.assign(new Error('read EHOSTUNREACH'), { code: 'EHOSTUNREACH' });
    const fetch = () => Promise.reject(new AgentError('model-network', 'No answer from the host.', { cause }));
    const model = await modelAt('http://127.0.0.1/v1', { transport: { fetch, close() {} } });
    const agent: Agent = { name: 'lead', instructions: 'You lead.', model, limits: { maxRetries: 1 } };
    const outcome = await ask(agent, 'go', { ports: fakePorts({ clock: quick }) });
    expect(figuresOf(outcome)).toMatchObject({ modelCalls: 1, unknownUsageCalls: 1 });
  });

  test('the budget is charged the reservation of a request of unknown usage', async () => {
    const { outcome, asked } = await askOf([cut], { budget: { tokens: 2_000 }, maxRetries: 9 });
    // Each attempt reserves a part of what is left.
    expect(asked).toBe(4);
    expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'budget-exhausted' } });
    expect(figuresOf(outcome)).toMatchObject({ modelCalls: 4, tokens: 0, unknownUsageCalls: 4 });
  });

  test('tokens that were reported before the cut count', async () => {
    let asked = 0;
    const cutAfterStart = (response: ServerResponse) => {
      asked++;
      response.writeHead(200, events);
      const usage = { input_tokens: 700, cache_read_input_tokens: 300, output_tokens: 1 };
      const message = { id: 'm', type: 'message', role: 'assistant', model: 'claude', content: [], usage };
      response.write(`event: message_start\n${data({ type: 'message_start', message })}`, () =>
        response.socket?.destroy(),
      );
    };
    const { model } = await serveWire(anthropic, [cutAfterStart]);
    const agent: Agent = {
      name: 'lead',
      instructions: 'You lead.',
      model,
      limits: { maxRetries: 1 },
      settings: { stream: true },
    };
    const ports = fakePorts({ clock: quick, prices: () => ({ input: 2, output: 10 }) });
    const outcome = await ask(agent, 'go', { ports });
    expect(asked).toBe(1);
    expect(outcome.usage).toMatchObject({ modelCalls: 1, inputTokens: 1_000, outputTokens: 0, unknownUsageCalls: 1 });
    expect(outcome.usage).toMatchObject({ costUsd: 0.002, unknownCostCalls: 1 });
    expect(finSummaryOf(outcome.ledger).lines.at(-1)).toContain('$0.0020+? (1 request of unknown cost)');
  });
});

const reportedEarly: Readonly<Record<string, object>> = {
  anthropic: { inputTokens: 1_000 },
  google: { inputTokens: 10, outputTokens: 5, unknownUsageCalls: 0 },
};

describe.each(wires)('a connection that is lost in a reply is no refused connection: $label', (wire) => {
  const reply = { text: 'Hello there.', usage: { input: 1_000, output: 5 } };
  const events = wire.stream(reply);
  test.each([
    ['whole', false, wire.whole(reply).slice(0, -2)],
    ['streamed, before the first event', true, ''],
    ['streamed', true, events.slice(0, wire.incompleteUntil(events)).join('')],
  ])('%s', async (_, stream, text) => {
    const fetch = async () => unreachableAfter(text, stream ? wire.streamType : 'application/json');
    const { model } = await serveWire(wire, [], { transport: { fetch, close() {} } });
    const agent: Agent = { name: 'lead', instructions: 'You lead.', model, limits: { maxRetries: 1 } };
    const outcome = await ask({ ...agent, settings: { stream } }, 'go', { ports: fakePorts({ clock: quick }) });
    expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'network' } });
    const reported = stream && text !== '' ? reportedEarly[wire.label] : undefined;
    const expected = { inputTokens: 0, outputTokens: 0, unknownUsageCalls: 1, ...reported };
    expect(outcome.usage).toMatchObject({ modelCalls: 1, ...expected });
  });
});

/** The connection breaks in the middle of the body. */
const cutOff =
  (code: number): Answer =>
  (response) => {
    response.writeHead(code, { 'content-type': 'application/json', 'content-length': 5_000 });
    response.write('{"error":{"mess', () => setTimeout(() => response.destroy(), 10));
  };

const redirect: Answer = (response) => response.writeHead(302, { location: '/elsewhere' }).end();

describe.each(wires)('the status of a failed answer decides: $label', (wire) => {
  test.each<[string, Answer, number]>([
    ['a redirect', redirect, 0],
    ['HTTP 300 without an address', (response) => response.writeHead(300).end(), 0],
    ['HTTP 400 with a body that breaks off', cutOff(400), 0],
    ['HTTP 503 with a body that breaks off', cutOff(503), 1],
  ])('%s', async (_, answer, unknownUsageCalls) => {
    const { model } = await serveWire(wire, [answer]);
    const agent: Agent = { name: 'lead', instructions: 'You lead.', model, limits: { maxRetries: 1 } };
    for (const stream of [false, true]) {
      const outcome = await ask({ ...agent, settings: { stream } }, 'go', { ports: fakePorts({ clock: quick }) });
      expect(figuresOf(outcome)).toMatchObject({ modelCalls: 1, failedCalls: 1, tokens: 0, unknownUsageCalls });
    }
  });
});

test('a placeholder of zero output in every chunk is no count', async () => {
  const choices = [{ index: 0, delta: { content: 'Hel' } }];
  const early: Answer = (response) => {
    response.writeHead(200, events);
    const usage = { prompt_tokens: 1_500, completion_tokens: 0 };
    response.write(data({ id: 'c', model: 'm', choices, usage }), () => response.socket?.destroy());
  };
  const { outcome } = await askOf([early], { maxRetries: 1 });
  expect(outcome.usage).toMatchObject({ modelCalls: 1, inputTokens: 1_500, outputTokens: 0, unknownUsageCalls: 1 });
});

test('an error inside a stream is no refusal, whatever status it names', async () => {
  const broken: Answer = (response) => {
    response.writeHead(200, events);
    response.write(data({ id: 'c', model: 'm', choices: [{ index: 0, delta: { content: 'Hel' } }] }));
    response.end(data({ error: { code: 429, message: 'Too many requests' } }));
  };
  const { outcome } = await askOf([broken, whole]);
  expect(figuresOf(outcome)).toMatchObject({ modelCalls: 2, tokens: 1505, unknownUsageCalls: 1 });
});

test('an error in a whole reply is no refusal, whatever status the package gives it', async () => {
  const { baseUrl } = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ error: failed })),
  );
  const failed = { type: 'server_error', code: 'server_error', message: 'It failed' };
  const model = fromLanguageModel(createOpenAI({ baseURL: baseUrl, apiKey: 'a-key' }).responses('gpt-5.4'));
  const agent: Agent = { name: 'lead', instructions: 'You lead.', model, limits: { maxRetries: 1 } };
  const outcome = await ask(agent, 'go', { ports: fakePorts({ clock: quick }) });
  expect(outcome).toMatchObject({ status: 'failed', failure: { message: expect.stringContaining('It failed') } });
  expect(figuresOf(outcome)).toMatchObject({ modelCalls: 1, unknownUsageCalls: 1 });
});

/** An answer whose connection breaks after this text, because its host is unreachable. */
function unreachableAfter(text: string, type: string): Response {
  const lost = Object.assign(new Error('read EHOSTUNREACH'), { code: 'EHOSTUNREACH' });
  const pull = (body: ReadableStreamDefaultController<Uint8Array>) =>
    pulls++ === 0 && text !== '' ? body.enqueue(new TextEncoder().encode(text)) : body.error(lost);
  let pulls = 0;
  return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { headers: { 'content-type': type } });
}
