// Requests to agents that are taken for models: whole ones of every API, and each with something odd in every place of it.

import { oddWords } from './fuzz-requests.ts';

export interface OddTalk {
  readonly path: string;
  readonly body: string;
  /** What was changed, for whoever has to find out. */
  readonly change: string;
}

type Read = ReturnType<typeof JSON.parse>;

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const picture = 'data:image/png;base64,aGk=';

const chat = {
  model: 'report',
  messages: [
    { role: 'developer', content: 'Rhyme.' },
    { role: 'user', content: [{ type: 'text', text: 'Go.' }], name: 'ann' },
    {
      role: 'assistant',
      content: 'Wait.',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
        { id: 'c2', type: 'custom', custom: { name: 'patch', input: 'x' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'Sunny.' }] },
    { role: 'tool', tool_call_id: 'c2', content: 'Done.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'And now?' },
        { type: 'image_url', image_url: { url: picture, detail: 'low' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: picture } },
        { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } },
      ],
    },
  ],
  tools: [
    { type: 'function', function: { name: 'weather', description: 'tells it', parameters: schema, strict: true } },
    {
      type: 'custom',
      custom: { name: 'patch', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'x' } } },
    },
  ],
  tool_choice: { type: 'function', function: { name: 'weather' } },
  response_format: { type: 'json_schema', json_schema: { name: 'x', schema: {}, strict: true } },
  stream: false,
  stream_options: { include_usage: true },
  n: 1,
  stop: ['x'],
  metadata: { a: 'b' },
  ai_agent: { activity: true },
};

const older = {
  model: 'report',
  messages: [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: null, function_call: { name: 'weather', arguments: '{}' } },
    { role: 'function', name: 'weather', content: 'Sunny.' },
  ],
  functions: [{ name: 'weather', parameters: schema }],
  function_call: { name: 'weather' },
};

const responses = {
  model: 'report',
  instructions: 'Rhyme.',
  input: [
    { role: 'developer', content: 'Whisper.' },
    { type: 'message', role: 'user', id: 'msg_1', status: 'completed', content: [{ type: 'input_text', text: 'Go.' }] },
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: null },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Wait.', annotations: [] }] },
    { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'weather', arguments: '{"city":"Rome"}' },
    { type: 'custom_tool_call', call_id: 'c2', name: 'patch', namespace: 'box', input: 'x' },
    { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'Sunny.' }] },
    { type: 'custom_tool_call_output', call_id: 'c2', output: 'Done.' },
    { type: 'web_search_call', id: 'ws_1', status: 'completed' },
    { type: 'item_reference', id: 'msg_9' },
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'And now?' },
        { type: 'input_image', image_url: picture, detail: 'auto' },
        { type: 'input_file', filename: 'a.pdf', file_data: picture },
      ],
    },
  ],
  tools: [
    { type: 'function', name: 'weather', description: 'tells it', parameters: schema, strict: true },
    { type: 'namespace', name: 'box', tools: [{ type: 'custom', name: 'patch', format: { type: 'text' } }] },
    { type: 'web_search' },
  ],
  tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'weather' }] },
  text: { format: { type: 'json_schema', name: 'x', schema: {}, strict: true }, verbosity: 'low' },
  reasoning: { effort: 'low', summary: 'auto' },
  metadata: { a: 'b' },
  previous_response_id: null,
  store: true,
  stream: false,
  include: ['reasoning.encrypted_content'],
};

const messages = {
  model: 'report',
  max_tokens: 10,
  system: [{ type: 'text', text: 'Rhyme.', cache_control: { type: 'ephemeral' } }],
  messages: [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'x' },
        { type: 'text', text: 'Wait.' },
        { type: 'tool_use', id: 't1', name: 'weather', input: { city: 'Rome' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't1', is_error: false, content: [{ type: 'text', text: 'Sunny.' }] },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
        { type: 'document', title: 'a', context: 'b', source: { type: 'url', url: 'https://web.example/a.pdf' } },
        { type: 'search_result', title: 'a', source: 'b', content: [{ type: 'text', text: 'c' }] },
        { type: 'text', text: 'And now?' },
      ],
    },
  ],
  tools: [
    { name: 'weather', description: 'tells it', input_schema: schema },
    { type: 'bash_20250124', name: 'bash' },
  ],
  tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
  thinking: { type: 'adaptive' },
  output_config: { format: { type: 'json_schema', schema: {} }, effort: 'low' },
  thread: { type: 'create' },
  stream: false,
  metadata: { user_id: 'x' },
};

const wholes: readonly (readonly [path: string, body: object])[] = [
  ['/v1/chat/completions', chat],
  ['/v1/chat/completions', older],
  ['/v1/responses', responses],
  ['/v1/messages', messages],
  ['/v1/messages/count_tokens', { model: 'report', messages: [{ role: 'user', content: 'Go.' }] }],
];

const gone = Symbol('left out');
const raw = (json: string) => ({ [rawKey]: json });
const rawKey = '\u0000raw';

const odd: readonly unknown[] = [
  ...[gone, null, 0, '', 'x', [], {}, [null], { type: 'array' }, 'constructor', 'file:///etc/passwd'],
  ...[raw('{"__proto__":{"polluted":true}}'), raw('"\\ud800"')],
  ...[{ class: 'network', code: 'x', message: 'y', remedy: 'z', retryable: true }],
];
/** What takes long to read. */
const oddest = [3_000, 100_000].map((levels) => raw(`${'['.repeat(levels)}${']'.repeat(levels)}`));

/** Each as it is, streamed too; then with each odd thing in each of its places. */
export function* oddTalks(): Iterable<OddTalk> {
  for (const [path, whole] of wholes) {
    for (const body of [whole, { ...whole, stream: true }])
      yield { path, body: JSON.stringify(body), change: 'nothing' };
    for (const place of placesIn(whole)) for (const value of odd) yield { path, ...changed(whole, place, value) };
    for (const place of Object.keys(whole))
      for (const value of oddest) yield { path, ...changed(whole, [place], value) };
    for (const word of oddWords) yield { path, ...changed(whole, ['model'], word) };
  }
}

type Place = readonly (string | number)[];

function* placesIn(value: unknown, at: Place = []): Iterable<Place> {
  if (at.length > 0) yield at;
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value))
    yield* placesIn((value as Read)[key], [...at, Array.isArray(value) ? Number(key) : key]);
}

function changed(body: object, place: Place, value: unknown): Pick<OddTalk, 'body' | 'change'> {
  const copy: Read = structuredClone(body);
  const last = place.at(-1) as string;
  const holder = place.slice(0, -1).reduce((inner: Read, key) => inner[key], copy);
  if (value === gone) delete holder[last];
  else holder[last] = value;
  const json = JSON.stringify(copy).replace(/\{"\\u0000raw":("(?:[^"\\]|\\.)*")\}/, (_, text: string) =>
    JSON.parse(text),
  );
  return {
    body: json,
    change: `${place.join('.')} = ${value === gone ? 'left out' : JSON.stringify(value).slice(0, 80)}`,
  };
}
