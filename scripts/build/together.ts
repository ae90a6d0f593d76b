// Which modules of the command share a file: each file costs a little by itself, so that what is always needed together is one.

/** What every run needs. What is left out here gets a file of its own when only some commands need it. */
const start = [
  // What the bundler itself adds.
  'rolldown/runtime',
  'packages/core/src/',
  'packages/agents/src/(?!config/(?:api-settings|hash-of-key|overlooked-keys))',
  'packages/models/src/(?!providers/|testing/|probe/)',
  'packages/cli/src/(?!main|outside|own-toolset|tool-offers|file-cache|import-module)[\\w-]+\\.ts$',
  'packages/cli/src/commands/(?:load|misuse|named-agent|older-flags|run/(?!ask-person|question-form|save-|trace-)[\\w-]+)\\.ts$',
  'packages/cli/src/render/(?:show-live|plain-lines|figures|outcome-document|printable|screen)\\.ts$',
];

/** What adapters share: their own modules but those that are named like a type, and the packages that all of them use. */
const providers = [
  'node_modules/(?:zod|@ai-sdk/provider-utils)/',
  'packages/models/src/providers/chat/(?!open-chat)',
  'packages/models/src/providers/(?!adapter|open-model|endpoint|openai|openrouter|anthropic|google|ollama)[\\w-]+\\.ts$',
];

export const together = [
  { name: 'start', test: new RegExp(start.join('|')), priority: 2 },
  { name: 'providers', test: new RegExp(providers.join('|')), priority: 1 },
];
