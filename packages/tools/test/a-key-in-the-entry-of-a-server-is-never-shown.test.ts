import { expect, test } from 'vitest';
import { everything, started } from './support/servers.ts';
import { calling, walkWith } from './support/walk-with.ts';

test('a server gets its keys, and nothing that it says of them is shown', async () => {
  const config = {
    ...started(everything),
    env: { SERVICE_TOKEN: 'literal-token-0001', OTHER: `\${MY_API_KEY}`, PLAIN: 'plain-value-0003' },
  };
  const { outcome, results, events } = await walkWith({
    server: 'every',
    config,
    envOverlay: { MY_API_KEY: 'overlay-key-0002', UNUSED: 'unused-value-0004' },
    script: calling({ name: 'every__get-env' }),
  });
  const seen = JSON.parse(results[0]?.text ?? '') as Record<string, string>;
  expect(Object.keys(seen)).toEqual(expect.arrayContaining(['SERVICE_TOKEN', 'OTHER', 'PLAIN']));
  expect(seen.PLAIN).toBe('plain-value-0003');
  expect(seen).not.toHaveProperty('UNUSED');
  const { ledger, tree, conversations } = outcome;
  const shown = JSON.stringify([outcome, ledger, tree, conversations, events, results]);
  expect(shown).toContain('plain-value-0003');
  expect(shown).not.toContain('literal-token-0001');
  expect(shown).not.toContain('overlay-key-0002');
});
