// A share of a budget that was granted in the very moment its call ended is free again: nobody waits for it for ever.

import { asTool, type Middleware } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agent, inItsTime, start } from './support/walk.ts';

const callTo = (name: string) => ({ name, input: { text: 'go', reason: 'r' } });

for (let moments = 0; moments < 16; moments++)
  test(`a stop ${moments} moments after one call settled and the next in line got its share`, async () => {
    let run: ReturnType<typeof start> | undefined;
    const stopSoon = async () => {
      for (let i = 0; i < moments; i++) await null;
      run?.stop();
    };
    const stopping: Middleware = {
      name: 'stopping',
      perform: {
        async model(work, next) {
          const reply = await next(work);
          void stopSoon();
          return reply;
        },
      },
    };
    const settings = { maxOutputTokens: 2_500 };
    const first = agent('first', () => 'first done', { settings, middleware: [stopping] });
    const second = agent('second', () => 'second done', { settings });
    const lead = agent(
      'lead',
      ({ messages }) => (messages.length > 1 ? 'in the end' : { calls: [callTo('first'), callTo('second')] }),
      { tools: [asTool(first), asTool(second)], settings: { maxOutputTokens: 8_000 }, budget: { tokens: 10_000 } },
    );
    run = start(lead);
    const outcome = await inItsTime(run.clock, run.outcome);
    expect(outcome).toMatchObject({ text: 'in the end' });
    expect(['partial', 'completed']).toContain(outcome.status);
    expect(run.clock.timers).toBe(0);
  });
