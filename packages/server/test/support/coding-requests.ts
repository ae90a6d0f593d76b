// Requests as coding clients send them: their fields, their kinds of items and tools, and about their size. The words are ours.

type Fields = Readonly<Record<string, unknown>>;

const ephemeral = { cache_control: { type: 'ephemeral' } } as const;

/** Words of this length. */
export function wordsOf(about: string, length: number): string {
  return `${about} ${'and so on '.repeat(length / 10)}`.slice(0, length);
}

function schemaOf(fields: readonly string[], length = 0): Fields {
  const properties = Object.fromEntries(
    fields.map((name) => [name, { type: 'string', description: wordsOf(`The ${name}.`, length / fields.length + 20) }]),
  );
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  return { $schema, type: 'object', properties, required: fields.slice(0, 1), additionalProperties: false };
}

// Codex CLI

const functionOf = (name: string, fields: readonly string[], length = 400) => ({
  type: 'function',
  name,
  description: wordsOf(`Does ${name}.`, length),
  strict: false,
  parameters: schemaOf(fields, length),
});

export const codexTools: readonly Fields[] = [
  functionOf('exec_command', ['cmd', 'workdir', 'shell']),
  functionOf('write_stdin', ['session_id', 'chars']),
  functionOf('view_image', ['path']),
  functionOf('update_goal', ['status'], 1_500),
  {
    type: 'namespace',
    name: 'multi_agent',
    description: 'Others.',
    tools: [functionOf('spawn_agent', ['message'], 5_000), functionOf('wait_agent', ['id'])],
  },
  { type: 'namespace', name: 'mcp__notes', description: 'Notes.', tools: [functionOf('look', ['q'])] },
  {
    type: 'custom',
    name: 'apply_patch',
    description: 'Changes files.',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: "*** Begin Patch" LF' },
  },
  { type: 'web_search', external_web_access: false },
];

let ids = 0;
export const codexMessage = (role: string, ...texts: readonly string[]) => ({
  type: 'message',
  id: `msg_${++ids}`,
  role,
  content: texts.map((text) => ({ type: role === 'assistant' ? 'output_text' : 'input_text', text })),
});

export const codexOutput = (callId: string, output: unknown, type = 'function_call_output') => ({
  type,
  id: `fco_${++ids}`,
  call_id: callId,
  output,
});

export const codexBeginning: readonly Fields[] = [
  codexMessage('developer', wordsOf('You are a coding client.', 17_000)),
  codexMessage('developer', wordsOf('<skills>', 2_000), wordsOf('<permissions>', 340)),
  codexMessage('user', wordsOf('<environment>', 440)),
];

export function codexRequest(input: readonly Fields[], more: Fields = {}): Fields {
  return {
    model: 'coder',
    stream: true,
    input,
    tools: codexTools,
    tool_choice: 'auto',
    parallel_tool_calls: true,
    reasoning: { summary: 'auto' },
    store: false,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: '01a1e2d1-0ecf-7272',
    client_metadata: { session_id: '01a1e2d1-0ecf-7272', 'x-codex-turn-metadata': JSON.stringify({ turn: 1 }) },
    ...more,
  };
}

export const codexHeaders = {
  accept: 'text/event-stream',
  originator: 'codex_exec',
  'session-id': '01a1e2d1-0ecf-7272',
  'x-codex-turn-metadata': JSON.stringify({ turn: 1 }),
};

// Claude Code

export const claudeTool = (name: string, fields: readonly string[] = ['command'], more: Fields = {}) => ({
  name,
  description: wordsOf(`Does ${name}.`, 900),
  input_schema: schemaOf(fields, 900),
  ...more,
});

/** Forty of them. */
export const claudeTools: readonly Fields[] = [
  claudeTool('Bash', ['command', 'description']),
  claudeTool('Read', ['file_path']),
  claudeTool('ToolSearch', ['query', 'max_results']),
  claudeTool('DeferredToolPlaceholder', ['none'], { defer_loading: true }),
  ...Array.from({ length: 36 }, (_, i) => claudeTool(`Tool${i}`, ['a', 'b', 'c'])),
];

const note = wordsOf('# Environment', 9_000);

/** First with blocks, and later as a text. */
export const claudeNotes = [
  { role: 'system', content: [{ type: 'text', text: note, ...ephemeral }] },
  { role: 'system', content: note },
] as const;

export const claudePrompt = (text: string) => ({
  role: 'user',
  content: [
    { type: 'text', text: wordsOf('<system-reminder>', 570) },
    { type: 'text', text },
  ],
});

export const claudeResult = (id: string, content: unknown, ...more: readonly Fields[]) => ({
  role: 'user',
  content: [{ tool_use_id: id, type: 'tool_result', content, is_error: false, ...ephemeral }, ...more],
});

export function claudeRequest(messages: readonly Fields[], more: Fields = {}): Fields {
  return {
    model: 'coder',
    messages,
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.325.0dc; cc_entrypoint=sdk-cli;' },
      { type: 'text', text: 'You are a coding client.', ...ephemeral },
      { type: 'text', text: wordsOf('Rules.', 5_500), ...ephemeral },
    ],
    tools: claudeTools,
    metadata: { user_id: JSON.stringify({ device_id: 'd', session_id: 's' }) },
    max_tokens: 32_000,
    thinking: { type: 'adaptive', display: 'omitted' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    safeguards: [{ type: 'dangerous_tool_use', classifier_context: { v: 1, rules: { allow: [] } } }],
    output_config: { effort: 'high' },
    stream: true,
    ...more,
  };
}

export const claudeHeaders = {
  'anthropic-version': '2023-06-01',
  'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27',
  'x-app': 'cli',
  'x-claude-code-session-id': '4c113f91',
};

// opencode

export function opencodeChat(messages: readonly Fields[], more: Fields = {}): Fields {
  const names = ['bash', 'edit', 'glob', 'grep', 'read', 'skill', 'task', 'todowrite', 'webfetch', 'write'];
  const tools = names.map((name) => {
    const description = wordsOf(`Does ${name}.`, 1_500);
    return { type: 'function', function: { name, description, parameters: schemaOf(['command'], 400) } };
  });
  const system = { role: 'system', content: wordsOf('You are a coding client.', 9_500) };
  return {
    model: 'coder',
    max_tokens: 32_000,
    messages: [system, ...messages],
    tools,
    tool_choice: 'auto',
    stream: true,
    stream_options: { include_usage: true },
    ...more,
  };
}

/** The same client over the other APIs: items without a type, cache control wherever there is a place for it. */
export function opencodeResponses(input: readonly Fields[]): Fields {
  return {
    model: 'coder',
    input: [{ role: 'system', content: wordsOf('You are a coding client.', 9_500) }, ...input],
    max_output_tokens: 32_000,
    store: false,
    prompt_cache_key: 'ses_1',
    tools: [functionOf('bash', ['command'])],
    tool_choice: 'auto',
    stream: true,
  };
}

export function opencodeMessages(messages: readonly Fields[]): Fields {
  return {
    model: 'coder',
    max_tokens: 32_000,
    system: [{ type: 'text', text: wordsOf('You are a coding client.', 9_500), ...ephemeral }],
    messages,
    tools: [claudeTool('bash')],
    tool_choice: { type: 'auto' },
    stream: true,
  };
}
