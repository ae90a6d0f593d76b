// A macro agent: a release note and a support FAQ, drafted by two sub-agents with JSON contracts, then combined.

import assert from 'node:assert/strict';
import { type Agent, ask, asTool } from 'ai-agent';

const input = {
  format: 'json',
  schema: {
    type: 'object',
    properties: { version: { type: 'string' }, facts: { type: 'string' } },
    required: ['version', 'facts'],
  },
} as const;

const releaseNote: Agent = {
  name: 'release_note',
  description: 'Drafts a release note',
  model: 'offline/demo',
  instructions: 'You draft release notes: a headline and what changed.',
  input,
  output: {
    format: 'json',
    schema: {
      type: 'object',
      properties: { headline: { type: 'string' }, changes: { type: 'array', items: { type: 'string' }, minItems: 1 } },
      required: ['headline', 'changes'],
    },
  },
};

const supportFaq: Agent = {
  name: 'support_faq',
  description: 'Drafts a support FAQ',
  model: 'offline/demo',
  instructions: 'You draft questions that customers will ask, with answers.',
  input,
  output: {
    format: 'json',
    schema: {
      type: 'array',
      minItems: 2,
      items: {
        type: 'object',
        properties: { question: { type: 'string' }, answer: { type: 'string' } },
        required: ['question', 'answer'],
      },
    },
  },
};

const releaseDesk: Agent = {
  name: 'release_desk',
  model: 'offline/demo',
  instructions: 'You have the release note and the support FAQ drafted, then combine them into one text.',
  tools: [asTool(releaseNote), asTool(supportFaq)],
  output: { format: 'markdown' },
};

const outcome = await ask(
  releaseDesk,
  'Write a release note and a support FAQ for version 2.4. It adds offline mode. It fixes two login bugs.',
);

console.log(outcome.text);
assert.equal(outcome.status, 'completed');
assert.match(outcome.text, /release.note/i);
assert.match(outcome.text, /support.faq/i);

// Each draft was its own session: own prompt, own history, and valid against its own contract.
const drafts = outcome.tree?.turns[0]?.operations.filter((operation) => operation.type === 'tool') ?? [];
assert.deepEqual(
  drafts.map((draft) => [draft.instance, draft.session?.status]),
  [
    ['release_note[1]', 'completed'],
    ['support_faq[1]', 'completed'],
  ],
);
assert.ok(JSON.parse(drafts[0]?.output ?? '').headline);
