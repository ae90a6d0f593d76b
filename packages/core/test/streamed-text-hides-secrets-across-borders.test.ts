// The promise: a streamed text is what would be shown of the whole, wherever it was cut; nothing of it is lost, and nothing hidden is in it.
import { AgentError, type AgentEvent, type Model, type ModelDelta } from '@ai-agent/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { patience, seed } from './properties/property.ts';
import { keys, lookalikes } from './support/keys.ts';
import { walk } from './support/walk.ts';

const secret = 'canary "7" & \\more\\ of-it';
const other = 'canary "7" & \\more\\ of-it, and longer';
const inside = 'y "7" & \\';
const overlay = { MY_API_KEY: secret, MY_TOKEN: other, MY_SECRET: inside };
const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), other, inside];

describe('every text', () => {
  test(
    'in whatever pieces',
    async () => {
      const begun = [...Object.values(keys), ...forms].map((text) => text.slice(0, Math.ceil(text.length / 2)));
      const word = fc.constantFrom(
        ...forms,
        ...Object.values(keys),
        ...begun,
        ...lookalikes,
        's',
        'Bearer',
        '-----BEGIN',
      );
      const between = fc.constantFrom(' ', '', '\n', '=', '-', 'x', '"', '. ', 'ü');
      const text = fc.array(fc.tuple(word, between), { maxLength: 6 }).map((all) => all.flat().join(''));
      await fc.assert(
        fc.asyncProperty(text, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), async (whole, sizes) => {
          const { deltas, shown } = await stream(cut(whole, sizes), whole);
          expect(deltas.join('')).toBe(shown);
          for (const form of forms) expect(deltas.join('')).not.toContain(form);
        }),
        { seed, numRuns: Number(process.env.RUNS ?? 400) },
      );
    },
    patience,
  );

  test.each(Object.entries(keys))('with a key of %s, cut at every border', async (_, key) => {
    const whole = `The key is ${key} and that is all.`;
    for (let at = 0; at <= whole.length; at++) {
      const { deltas } = await stream([whole.slice(0, at), whole.slice(at)], whole);
      expect(deltas.join('')).toBe('The key is *** and that is all.');
    }
    const { deltas } = await stream([...whole], whole);
    expect(deltas.join('')).toBe('The key is *** and that is all.');
  });

  test.each(forms.map((form) => [form]))('with %s, cut at every border', async (form) => {
    const whole = `The key is ${form}; that is all.`;
    for (let at = 0; at <= whole.length; at++) {
      const { deltas } = await stream([whole.slice(0, at), whole.slice(at)], whole);
      expect(deltas.join('')).toBe('The key is ***; that is all.');
    }
  });

  test('with a private key right behind a word', async () => {
    const whole = `key${keys.pem}, and that is all.`;
    const { deltas } = await stream([...whole], whole);
    expect(deltas.join('')).toBe('key***, and that is all.');
  });

  test('in reasoning too, beside the text', async () => {
    const pieces = [...secret].flatMap((text) => [
      { type: 'reasoning' as const, text },
      { type: 'text' as const, text },
    ]);
    const { events } = await walkWith((onDelta) => pieces.forEach(onDelta), 'done');
    for (const type of ['reasoning-delta', 'text-delta']) expect(textOf(events, type)).toEqual(['***']);
  });
});

test('what cannot be a secret is not held back', async () => {
  const pieces = ['Hello', ' there,', ' how are', ' you now', '?'];
  const { deltas } = await stream(pieces, pieces.join(''));
  expect(deltas).toEqual(pieces);
});

test('an attempt that breaks off gives out what it held, and the next one begins anew', async () => {
  let calls = 0;
  const { events } = await walkWith((onDelta) => {
    onDelta({ type: 'text', text: 'I say cana' });
    if (++calls === 1) throw new AgentError('model-network', 'It broke off.');
    onDelta({ type: 'text', text: 'ries sing' });
  }, 'I say canaries sing');
  const told = events.flatMap((event) => (event.type === 'text-delta' ? [`${event.attempt} ${event.text}`] : []));
  expect(told).toEqual(['1 I say ', '1 cana', '2 I say ', '2 canaries sing']);
});

test('a run of characters without end costs little, and comes through', async () => {
  const whole = `sk-${'sk-eyJ-aB3dE5fG7hJ9'.repeat(10_000)}`;
  const from = performance.now();
  const { deltas, shown } = await stream(cut(whole, [50]), whole);
  expect(deltas.join('')).toBe(shown);
  expect(performance.now() - from).toBeLessThan(10_000);
});

function cut(whole: string, sizes: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0, i = 0; at < whole.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    pieces.push(whole.slice(at, at + size));
    at += size;
  }
  return pieces;
}

/** The pieces as they were shown, and what the fact shows of the whole. */
async function stream(pieces: readonly string[], whole: string) {
  const { events, outcome } = await walkWith((onDelta) => {
    for (const text of pieces) onDelta({ type: 'text', text });
  }, whole);
  return { deltas: textOf(events, 'text-delta'), shown: outcome.text };
}

function walkWith(send: (onDelta: (delta: ModelDelta) => void) => void, text: string) {
  const model: Model = {
    provider: 'test',
    model: 'streaming',
    async call(_, { onDelta }) {
      if (onDelta) send(onDelta);
      return { message: { role: 'assistant', content: [{ type: 'text', text }] }, finishReason: 'stop', usage: {} };
    },
  };
  return walk({ name: 'lead', instructions: 'Stream.', model }, 'go', { envOverlay: overlay });
}

function textOf(events: readonly AgentEvent[], type: string): readonly string[] {
  return events.flatMap((event) => (event.type === type && 'text' in event ? [event.text] : []));
}
