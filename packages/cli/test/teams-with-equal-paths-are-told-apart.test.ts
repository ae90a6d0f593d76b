// An agent whose model is an agent of another team on this machine, whose file has the same path below the folder of its team.

import { expect, test } from 'vitest';
import { freePort } from '../../tools/test/support/run-server.ts';
import { agentFile, folderWith, run } from './support/command.ts';
import { serving } from './support/serving.ts';

const provider = (port: number) => ({
  providers: { q: { type: 'openai-compatible', baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'none-needed' } },
});
const about = ['description: d', 'usage: u', 'output: { format: text }'];

test('they may call each other', async () => {
  const other = await folderWith({ 'lead.ai': agentFile([...about, 'models: offline/demo']) });
  const { port } = await serving(['serve', '.', '--port', '0'], { cwd: other });
  const cwd = await folderWith({
    'lead.ai': agentFile([...about, 'models: q/lead']),
    '.ai-agent.json': provider(port),
  });
  expect(await run(['lead.ai', 'hello', '-q'], { cwd })).toMatchObject({ code: 0 });
});

test('a ring through files of one team is refused, also where it begins in another process', async () => {
  const port = await freePort();
  const cwd = await folderWith({
    'lead.ai': agentFile([...about, 'models: q/next']),
    'next.ai': agentFile([...about, 'models: q/lead']),
    '.ai-agent.json': provider(port),
  });
  await serving(['serve', '.', '--port', `${port}`], { cwd });
  const { code, stderr } = await run(['lead.ai', 'hello', '-q'], { cwd });
  expect([code, stderr]).toEqual([3, expect.stringContaining('lead → next → lead. It would wait for itself.')]);
});
