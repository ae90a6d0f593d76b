// A provider that takes the request and never answers keeps a check for ten seconds, however many there are.

import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';
import { lister } from './support/model-lists.ts';

test('silence is an error after ten seconds, of all at once', async () => {
  const silent = await lister(() => {});
  const dripping = await lister((_, response) => response.writeHead(200).write('{"data": ['));
  const provider = ({ url }: { readonly url: string }) => ({ type: 'openai-compatible', baseUrl: `${url}/v1` });
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: [silent/m, dripping/m]']),
    '.ai-agent.json': { providers: { silent: provider(silent), dripping: provider(dripping) } },
  });
  const { code, stdout } = await run(['check', '--connect', '--json', 'desk.ai'], { cwd });
  expect(code).toBe(1);
  const { connections } = JSON.parse(stdout);
  expect(connections).toMatchObject([
    {
      provider: 'silent',
      status: 'failed',
      problem: { class: 'timeout', message: `silent: ${silent.url}/v1 did not answer within 10 s.` },
    },
    { provider: 'dripping', status: 'failed', problem: { class: 'timeout' } },
  ]);
  for (const { ms } of connections) {
    expect(ms).toBeGreaterThanOrEqual(9_990);
    expect(ms).toBeLessThan(12_000);
  }
}, 20_000);
