import { expect, test } from 'vitest';
import { changing, started } from './support/servers.ts';
import { calling, walkWith } from './support/walk-with.ts';

test.each([
  ['its own server is told as progress', { shared: false }, ['warning: disk: nearly full']],
  ['a shared server may be about others, and is not', {}, []],
])('what %s', async (_, more, expected) => {
  const { events, results } = await walkWith({
    server: 'changing',
    config: { ...started(changing), ...more },
    script: calling({ name: 'changing__complain' }),
  });
  expect(results[0]?.text).toBe('complained');
  expect(events.flatMap((event) => (event.type === 'tool-progress' ? [event.text] : []))).toEqual(expected);
});
