// One text file is an agent: loaded with everything it names, checked before anything runs, then asked like any other.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ask, asTool, isAgentError, loadAgent, loadAgents } from 'ai-agent';

const folder = import.meta.dirname;

// lead.ai has a sub-agent, which has one too. Contracts, budget and limits stand in the files.
const lead = await loadAgent(join(folder, 'research-team/lead.ai'));
const outcome = await ask(
  lead.agent,
  'Prepare a brief on Northwind. Northwind opened two depots in May. It runs forty electric vans.',
  lead.session,
);

console.log(outcome.report);
assert.equal(outcome.status, 'completed');
assert.deepEqual(Object.keys(outcome.report as object), ['title', 'summary', 'points']);
assert.deepEqual(Object.keys(outcome.ledger.byPath), ['lead', 'lead:researcher', 'lead:researcher:source']);
assert.deepEqual(lead.agent.budget, { tokens: 60_000, timeMs: 120_000, descendants: 8 });

// An agent of a file is a tool like any other, also of an agent that stands in code.
const note = await loadAgent(join(folder, 'release-desk/note.ai'));
const editor = {
  name: 'editor',
  model: 'offline/demo',
  instructions: 'You have a text written.',
  tools: [asTool(note.agent, { envOverlay: note.session.envOverlay })],
} as const;
const edited = await ask(editor, 'Write a release note for version 2.4. It adds offline mode.');
assert.match(edited.text, /2\.4 adds offline mode/i);

// A folder is a registry: its agents by name. What is wrong with any file is in `problems`, all of it at once.
const desk = await loadAgents([join(folder, 'release-desk')]);
assert.deepEqual(desk.problems, []);
assert.deepEqual(
  desk.agents.map(({ name }) => name),
  ['desk', 'faq', 'note'],
);
assert.deepEqual(
  desk.get('desk')?.children.map(({ name }) => name),
  ['note', 'faq'],
);

// One file that cannot be loaded is thrown, before anything costs money.
const missing = await loadAgent(join(folder, 'no-such.ai')).catch((error: unknown) => error);
assert.ok(isAgentError(missing) && missing.code === 'file-missing');
