// Whatever comes in place of a reply, or of its rest, is a failure with a code: never half an answer, never a wait.

import type { ServerResponse } from 'node:http';
import type { AgentError, ModelContext } from '@ai-agent/core';
import { createTransport } from '@ai-agent/models';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { contextOf, failureOf, requestOf, ways } from './support/calling.ts';
import { serve } from './support/raw-server.ts';
import { wires } from './support/wires/index.ts';
import { type Answer, serveWire } from './support/wires/serve-wire.ts';
import { isEvents, type Wire, type WireReply } from './support/wires/wire.ts';

const reply: WireReply = {
  text: 'Half an answer – 半分',
  reasoning: { text: 'Hm.', signature: 'c2lnbmF0dXJl' },
  calls: [
    { id: 'call_1', name: 'look', input: { where: 'here' } },
    { id: 'call_2', name: 'look', input: { where: 'there' } },
  ],
};
const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }];
const streamed = () => contextOf({ onDelta: () => {} });

type End = (response: ServerResponse) => void;
const ends: readonly (readonly [string, End])[] = [
  ['the connection breaks', (response) => response.socket?.destroySoon()],
  ['the body ends', (response) => response.end()],
];

async function failures(wire: Wire, answers: readonly Answer[], context: () => ModelContext): Promise<AgentError[]> {
  const { model } = await serveWire(wire, answers);
  const found: AgentError[] = [];
  for (const _ of answers) found.push(await failureOf(model.call(requestOf({ tools }), context())));
  return found;
}

/** Writes it all, then ends in its own way. */
function writing(wire: Wire, text: string, end: End): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': wire.streamType });
    if (text === '') response.flushHeaders();
    else response.write(text);
    setImmediate(() => end(response));
  };
}

const partsOf = ({ hidesReasoning = false }: Wire) => `${hidesReasoning ? '' : 'reasoning '}text tool-call tool-call`;

const all = wires.map((wire) => [wire.label, wire] as const);

describe.each(all)('%s', (_, wire) => {
  const events = wire.stream(reply);
  const incomplete = wire.incompleteUntil(events);

  test('there is something to be cut', () => {
    expect(incomplete).toBeGreaterThan(3);
    expect(incomplete).toBeLessThan(events.length);
  });

  test.each(ends)('a stream after which %s, after any event', async (_, end) => {
    const starts = events.slice(0, incomplete).map((_, i) => events.slice(0, i + 1).join(''));
    const found = await failures(
      wire,
      starts.map((start) => writing(wire, start, end)),
      streamed,
    );
    expect(found.map(({ code, retryable }) => `${code} ${retryable}`)).toEqual(starts.map(() => 'model-network true'));
  });

  test.each(ends)('a stream after which %s, in the middle of any event', async (_, end) => {
    const starts = events
      .slice(0, incomplete)
      .map((event, i) => `${events.slice(0, i).join('')}${event.slice(0, event.length / 2)}`);
    const found = await failures(
      wire,
      starts.map((start) => writing(wire, start, end)),
      streamed,
    );
    expect(found.map(({ code }) => code)).toEqual(starts.map(() => 'model-network'));
  });

  test('a stream that ends before it began', async () => {
    const found = await failures(
      wire,
      ends.map(([, end]) => writing(wire, '', end)),
      streamed,
    );
    expect(found.map(({ code }) => code)).toEqual(['model-network', 'model-network']);
  });

  test.each([
    ['before anything else', 0],
    ['after some of the answer', incomplete - 1],
  ])('an error in the stream, %s', async (_, count) => {
    const told = events.slice(0, count).join('') + wire.streamError('All places are taken just now');
    const found = await failures(
      wire,
      [told, told + events.slice(count).join('')].map((text) => writing(wire, text, (response) => response.end())),
      streamed,
    );
    for (const failure of found) {
      expect(failure).toMatchObject({ code: 'model-unavailable', class: 'model', retryable: true });
      expect(failure.message).toContain('All places are taken just now');
    }
  });

  test.each([
    ['an error before anything else', wire.streamError('All places are taken just now')],
    ['an error after some of the answer', events.slice(0, incomplete - 1).join('') + wire.streamError('All taken')],
    ['an event that is not JSON', isEvents(wire) ? 'data: {"hello":\n\n' : '{"hello":\n'],
  ])('%s ends it, though the server goes on: its connection is closed', async (_, told) => {
    let closed = 0;
    const answer: Answer = (response) => {
      response.on('close', () => closed++);
      response.writeHead(200, { 'content-type': wire.streamType }).write(told);
    };
    const [failure] = await failures(wire, [answer], streamed);
    expect(['model-unavailable', 'model-reply-invalid']).toContain(failure?.code);
    await vi.waitFor(() => expect(closed).toBe(1));
  });

  test('a whole reply that the connection cuts, and one that ends in the middle', async () => {
    const body = Buffer.from(wire.whole(reply));
    const half = body.subarray(0, body.length / 2);
    const [cut, short] = await failures(
      wire,
      [
        (response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
          response.write(half, () => response.socket?.destroySoon());
        },
        (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(half),
      ],
      contextOf,
    );
    expect([cut?.code, short?.code]).toEqual(['model-network', 'model-reply-invalid']);
  });

  describe.each(ways)('asked %s', (_, context) => {
    const bodies: readonly (readonly [string, string, string | Buffer])[] = [
      ['a page', 'text/html', '<html><head><title>Portal</title></head><body>Please log in</body></html>'],
      ['a page that claims to be JSON', 'application/json', '<html><body>Please log in</body></html>'],
      ['a page that claims to be a stream', wire.streamType, '<html><body>Please log in</body></html>'],
      ['noise', 'application/octet-stream', Buffer.from(Array.from({ length: 997 }, (_, i) => (i * 167 + 13) % 256))],
      ['nothing at all', 'application/json', ''],
      ['another JSON', 'application/json', '{"hello":"world"}'],
      ['a list', 'application/json', '[]'],
      ['null', 'application/json', 'null'],
      ['a number', 'application/json', '42'],
      ['events of another kind', wire.streamType, 'event: hello\ndata: {"hello":"world"}\n\n'],
      ['events that are no JSON', wire.streamType, 'data: {"hello":\n\ndata: world\n\n'],
      ['events that say nothing', wire.streamType, ': alive\n\n: alive\n\n'],
      ['events that are null', wire.streamType, 'data: null\n\n'],
      ['nothing but the end', wire.streamType, 'data: [DONE]\n\n'],
    ];
    test.each(bodies)('%s instead of a reply', async (_, type, body) => {
      const [failure] = await failures(
        wire,
        [(response) => response.writeHead(200, { 'content-type': type }).end(body)],
        context,
      );
      expect(['model-reply-invalid', 'model-network']).toContain(failure?.code);
      expect(failure).toMatchObject({ retryable: true });
      expect(failure?.message).toMatch(/^mine\/\S+: \S/);
    });

    test.each([204, 205])('status %i', async (status) => {
      const [failure] = await failures(wire, [(response) => response.writeHead(status).end()], context);
      expect(['model-reply-invalid', 'model-network']).toContain(failure?.code);
    });

    test('a page with a status says its words', async () => {
      const page = '<html><style>p { color: red }</style><body><h1>Bad gateway</h1><p>Try later</p></body></html>';
      const [failure] = await failures(wire, [(response) => response.writeHead(502).end(page)], context);
      expect(failure).toMatchObject({ code: 'model-unavailable', status: 502 });
      expect(failure?.message).toContain('Bad gateway Try later');
      expect(failure?.message).not.toContain('<');
    });

    test('a reply longer than we read', async () => {
      const transport = createTransport({ maxReplyBytes: 4000 });
      onTestFinished(() => transport.close());
      const { model } = await serveWire(wire, [{ text: 'x'.repeat(10_000) }], { transport });
      const failure = await failureOf(model.call(requestOf(), context()));
      expect(failure).toMatchObject({ code: 'model-reply-invalid', retryable: false });
      expect(failure.message).toContain('4000 bytes');
    });

    test.each(['text/plain', 'application/octet-stream', undefined])('a type that lies: %s', async (type) => {
      const { model } = await serveWire(wire, [
        (response, { isStreamed }) => {
          response.writeHead(200, type === undefined ? {} : { 'content-type': type });
          response.end(isStreamed ? events.join('') : wire.whole(reply));
        },
      ]);
      const { message } = await model.call(requestOf({ tools }), context());
      expect(message.content.map((part) => part.type).join(' ')).toBe(partsOf(wire));
    });
  });

  test('events where a whole reply was asked for', async () => {
    const answer: Answer = (response) =>
      response.writeHead(200, { 'content-type': wire.streamType }).end(events.join(''));
    const [failure] = await failures(wire, [answer], contextOf);
    expect(failure?.code).toBe('model-reply-invalid');
  });

  test('a whole reply where events were asked for is read, or is none', async () => {
    const { model } = await serveWire(wire, [
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(wire.whole(reply)),
    ]);
    const came = await model.call(requestOf({ tools }), streamed()).then(
      ({ message }) => message.content.map((part) => part.type).join(' '),
      (failure: AgentError) => failure.code,
    );
    expect([partsOf(wire), 'model-reply-invalid']).toContain(came);
  });
});

test('without a bound of its own, no more than 64 MiB of a reply is read', async () => {
  let written = 0;
  const { baseUrl } = await serve((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024, ' '))) written++;
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  const transport = createTransport();
  onTestFinished(() => transport.close());
  const failure = await failureOf(transport.fetch(baseUrl).then((response) => response.text()));
  expect(failure.message).toContain('67108864 bytes');
  expect(written).toBeLessThan(100);
});
