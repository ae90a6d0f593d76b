// A served team is a server of another agent: at an address over HTTP or a WebSocket, or as a process that it starts. What goes on inside is
// seen outside; what it costs is on the books of the server that ran it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type AgentEvent, ask, loadAgent, type McpServerConfig, mcpServer } from 'ai-agent';
import { serveAgents } from 'ai-agent/server';
import { scriptedModel } from 'ai-agent/testing';

const folder = import.meta.dirname;
const desk = await loadAgent(join(folder, 'release-desk/desk.ai'));
let spentThere = 0;
const served = await serveAgents({
  agents: [desk],
  port: 0,
  onEnd: (_session, outcome) => {
    spentThere += outcome?.usage.inputTokens ?? 0;
  },
});

// As they stand under mcpServers of a configuration.
const command = join(folder, '../packages/cli/bin/ai-agent.cjs');
const ways: Readonly<Record<string, McpServerConfig>> = {
  http: { url: `${served.url}/mcp` },
  websocket: { url: `${served.url.replace('http', 'ws')}/mcp/ws` },
  stdio: {
    command: process.execPath,
    args: [command, 'serve', join(folder, 'release-desk/desk.ai'), '--mcp', 'stdio'],
  },
};

for (const [way, config] of Object.entries(ways)) {
  // It hands the question on, and says what came back.
  const model = scriptedModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === 'tool') return `The desk says:\n${last.content[0]?.text}`;
    return { calls: [{ name: 'release__desk', input: { text: 'Version 2.4 adds offline mode.', format: 'text' } }] };
  });
  const told: string[] = [];
  const onEvent = (event: AgentEvent) => void (event.type === 'tool-progress' && told.push(event.text));
  const editor = { name: 'editor', instructions: 'Ask the desk.', model, tools: [mcpServer('release', config)] };
  const { status, text, usage, ledger } = await ask(editor, 'What is new?', { onEvent });
  assert.equal(status, 'completed');
  assert.match(text, /^The desk says:\n[\s\S]*^faq: /m);
  // The agents of the other tree by their names, while they work.
  assert.ok(
    told.some((line) => line.includes('faq')),
    told.join('\n'),
  );
  // Two calls of its own model. What the desk and its agents used is not in here: whoever serves them counts that.
  assert.equal(usage.inputTokens, 20);
  assert.deepEqual(Object.keys(ledger.byPath), ['editor']);
  console.log(`${way}: ${text.split('\n').length} lines, and ${told.length} lines of progress`);
}

// The two runs that it served itself; the process on stdio had books of its own.
assert.ok(spentThere > 0);
await served.stop();
