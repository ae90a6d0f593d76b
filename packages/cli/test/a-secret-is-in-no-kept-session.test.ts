// The promise: neither keys of the set-up nor what looks like one is in any file of the store.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { headsIn, storeIn } from './support/kept.ts';
import { served } from './support/served.ts';

test('a key that a model repeats, and one in a prompt', async () => {
  const key = 'this-is-the-key-of-the-provider-42';
  const pasted = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH';
  const model = await served(() => ({
    text: `Your key is ${key}, and ${pasted}.`,
    calls: [{ name: 'ask_user', input: { question: `Is it ${key} or ${pasted}?` } }],
  }));
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'ask: person']),
    '.ai-agent.json': localProvider(model.baseUrl, { apiKey: `\${DESK_KEY}` }),
  });
  const ended = await run(['desk.ai', `My key is ${pasted}`], { cwd, env: { DESK_KEY: key } });
  expect(ended.code).toBe(6);
  expect(await headsIn(cwd)).toMatchObject([{ status: 'needs_user_input' }]);
  const folder = dirname(storeIn(cwd));
  const files = readdirSync(folder);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const content = readFileSync(join(folder, file), 'latin1');
    expect(content).not.toContain(key);
    expect(content).not.toContain(pasted);
  }
});
