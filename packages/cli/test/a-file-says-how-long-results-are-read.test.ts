// The promise: an existing file with toolOutput runs as it says: a long answer of a REST tool is read by the models it names.

import { expect, test } from 'vitest';
import { resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { handleOf, toldLast, whoAsks } from './support/long-results.ts';
import { listening, served } from './support/served.ts';

const log = `${'a quiet day at sea\n'.repeat(900)}the mast broke at noon\n${'a quiet day at sea\n'.repeat(900)}`;

/** A lead that fetches the log and has it read; a clerk behind another address that reads. */
async function voyage(toolOutput: readonly string[], config: object = {}, readers = 'the mast broke') {
  const results: string[] = [];
  const offered: string[][] = [];
  const lead = await served((request) => {
    if (whoAsks(request) !== 'lead') return 'the lead read it itself';
    offered.push(request.tools.map(({ name }) => name));
    results.push(...resultsIn(request));
    if (results.length === 0) return { calls: [{ name: 'rest__log' }] };
    const handle = handleOf(results.at(-1) ?? '');
    if (results.length > 1 || handle === 'no handle') return results.at(-1) ?? '';
    return { calls: [{ name: 'tool_output', input: { handle, extract: 'accidents', mode: 'auto' } }] };
  });
  const clerk = await served(() => readers);
  const sea = await listening((_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(log));
  const providers = {
    ...(localProvider(lead.baseUrl) as { providers: object }).providers,
    desk: { type: 'openai-compatible', baseUrl: clerk.baseUrl, models: { clerk: { contextWindow: 65_536 } } },
  };
  const restTools = { log: { description: 'the log', url: `${sea.url}/log`, allowedHosts: ['127.0.0.1'] } };
  const cwd = await folderWith({
    'lead.ai': agentFile(['models: local/m', 'tools: [log]', ...toolOutput]),
    '.ai-agent.json': { providers, restTools, ...config },
  });
  const ended = await run(['lead.ai', 'What happened?', '--verbose'], { cwd, env: { READER: 'desk/clerk' } });
  return { ...ended, results, offered, clerk };
}

test('by the models that the file names, in as many parts as their window needs', async () => {
  const { code, stdout, clerk, offered } = await voyage(['toolOutput:', '  models: desk/clerk', '  maxChunks: 3']);
  expect(stdout).toBe('the mast broke\n\n[A model read all of the result for this, at once.]\n');
  expect(code).toBe(0);
  expect(clerk.requests).toHaveLength(1);
  expect(toldLast(clerk.requests[0] as never)).toContain('the mast broke at noon');
  expect(offered.map((tools) => tools.includes('tool_output'))).toEqual([false, true, true]);
});

test('by those of the configuration, its variables filled in', async () => {
  const { stdout, clerk } = await voyage([], {
    toolOutput: { models: [`\${READER}`], enabled: `\${NOBODY_SET_THIS}` },
  });
  expect(stdout).toContain('the mast broke\n');
  expect(clerk.requests).toHaveLength(1);
});

test('by its own when nobody says anything', async () => {
  const { stdout, clerk } = await voyage([]);
  expect(stdout).toContain('the lead read it itself');
  expect(clerk.requests).toHaveLength(0);
});

test('not at all with enabled: false, here or in the configuration; the file has the last word', async () => {
  const off = await voyage(['toolOutput: { enabled: false }']);
  expect(off.results).toHaveLength(1);
  expect(off.stdout).toMatch(/^a quiet day[^[]*\[Cut here: of the 342\d\d bytes[^[]*a quiet day at sea\s*$/);
  expect(off.offered.flat()).not.toContain('tool_output');
  const on = await voyage(['toolOutput: { enabled: true }'], { toolOutput: { enabled: false, models: 'desk/clerk' } });
  expect(on.stdout).toContain('the mast broke\n');
});

test('storeDir is accepted, and said to have no effect', async () => {
  const { code, stderr } = await voyage(['toolOutput: { storeDir: ./kept, models: [desk/clerk] }']);
  expect(code).toBe(0);
  expect(stderr).toMatch(/lead\.ai:4: warning: toolOutput\.storeDir: has no effect/);
});
