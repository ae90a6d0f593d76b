// Three ways in which providers are asked: what a request says in each, and an answer as each would write it.

export interface Step {
  /** For chat completions. */
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly Call[];
}

export interface Call {
  readonly name: string;
  readonly input: object;
}

/** What a script needs to know of a request. */
export interface Asked {
  readonly system: string;
  /** The first words of the user. */
  readonly prompt: string;
  /** How often the model has spoken in this conversation. */
  readonly turn: number;
  /** Everything after its last words, in order: results of calls, or what it was told. */
  readonly heard: readonly string[];
}

export interface Dialect {
  readonly path: string;
  read(body: Body): Asked;
  write(step: Step, body: Body, id: string): Written;
  /** The same in the events of a stream. */
  stream(written: Written): readonly (object | string)[];
}

/** A whole reply. */
type Written = Readonly<Record<string, unknown>>;

export type Body = Readonly<Record<string, unknown>>;

interface Said {
  readonly by: 'model' | 'other';
  readonly text: string;
}

const chat: Dialect = {
  path: '/v1/chat/completions',
  read({ messages }) {
    const [first, ...rest] = messages as readonly { role: string; content: unknown }[];
    return toAsked(
      textIn(first?.content),
      rest.map(({ role, content }) => ({ by: role === 'assistant' ? 'model' : 'other', text: textIn(content) })),
    );
  },
  write({ reasoning: reasoning_content, text, calls = [] }, { model }, id) {
    const tool_calls = calls.map(({ name, input }, i) => ({
      id: `${id}_${i + 1}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }));
    const said = { role: 'assistant', content: text ?? null, reasoning_content };
    const message = calls.length > 0 ? { ...said, tool_calls } : said;
    const choice = { index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    return { id, object: 'chat.completion', created: 1, model, choices: [choice], usage };
  },
  stream({ choices, usage, ...frame }) {
    const [{ message, finish_reason }] = choices as [{ message: { tool_calls?: object[] }; finish_reason: string }];
    const { tool_calls = [], ...said } = message;
    const chunk = (more: object) => ({ ...frame, object: 'chat.completion.chunk', ...more });
    const delta = { ...said, tool_calls: tool_calls.map((one, index) => ({ index, ...one })) };
    return [
      chunk({ choices: [{ index: 0, delta, finish_reason: null }] }),
      chunk({ choices: [{ index: 0, delta: {}, finish_reason }], usage }),
      '[DONE]',
    ];
  },
};

const anthropic: Dialect = {
  path: '/anthropic/v1/messages',
  read({ system, messages }) {
    const said = (messages as readonly { role: string; content: unknown }[]).map(
      ({ role, content }): Said => ({
        by: role === 'assistant' ? 'model' : 'other',
        text: textIn(content),
      }),
    );
    return toAsked(textIn(system), said);
  },
  write({ text, calls = [] }, { model }, id) {
    const content = [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map(({ name, input }, i) => ({ type: 'tool_use', id: `${id}_${i + 1}`, name, input })),
    ];
    const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
    const usage = { input_tokens: 10, output_tokens: 5 };
    return { id, type: 'message', role: 'assistant', model, content, stop_reason, stop_sequence: null, usage };
  },
  stream(written) {
    const { content, stop_reason, usage } = written;
    const blocks = content as readonly { type: string; text?: string; input?: object }[];
    return [
      { type: 'message_start', message: { ...written, content: [], stop_reason: null } },
      ...blocks.flatMap(({ text, input, ...block }, index) => [
        { type: 'content_block_start', index, content_block: input ? { ...block, input: {} } : { ...block, text: '' } },
        {
          type: 'content_block_delta',
          index,
          delta: input
            ? { type: 'input_json_delta', partial_json: JSON.stringify(input) }
            : { type: 'text_delta', text },
        },
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
  },
};

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly output?: unknown;
}

const responses: Dialect = {
  path: '/openai/v1/responses',
  read({ input }) {
    const [first, ...rest] = input as readonly Item[];
    const said = rest.map(
      ({ type, role, content, output }): Said => ({
        by: role === 'assistant' || type === 'function_call' || type === 'reasoning' ? 'model' : 'other',
        text: textIn(output ?? content),
      }),
    );
    return toAsked(textIn(first?.content), said);
  },
  write({ text, calls = [] }, { model }, id) {
    const status = 'completed';
    const content = [{ type: 'output_text', text, annotations: [] }];
    const output = [
      ...(text === undefined ? [] : [{ type: 'message', id: `msg_${id}`, role: 'assistant', status, content }]),
      ...calls.map(({ name, input }, i) => {
        const call_id = `${id}_${i + 1}`;
        return { type: 'function_call', id: `fc_${call_id}`, call_id, name, arguments: JSON.stringify(input), status };
      }),
    ];
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    return { id, object: 'response', created_at: 1, status, model, output, usage };
  },
  stream(written) {
    const output = written.output as readonly { id: string; type: string; content?: readonly { text: string }[] }[];
    return [
      { type: 'response.created', response: { ...written, status: 'in_progress', output: [] } },
      ...output.flatMap((item, output_index) => {
        const at = { output_index, item_id: item.id, content_index: 0 };
        const texts = item.content ?? [];
        return [
          { type: 'response.output_item.added', output_index, item: { ...item, ...empty(item.type) } },
          ...texts.map(({ text }) => ({ type: 'response.output_text.delta', ...at, delta: text })),
          { type: 'response.output_item.done', output_index, item },
        ];
      }),
      { type: 'response.completed', response: written },
    ];
  },
};

function empty(type: string): object {
  return type === 'message' ? { content: [] } : { arguments: '' };
}

export const dialects: readonly Dialect[] = [chat, anthropic, responses];

function toAsked(system: string, said: readonly Said[]): Asked {
  const last = said.findLastIndex(({ by }) => by === 'model');
  return {
    system,
    prompt: said[0]?.text ?? '',
    // Several items of one reply stand next to each other.
    turn: said.filter(({ by }, i) => by === 'model' && said[i - 1]?.by !== 'model').length,
    heard: said.slice(last + 1).map(({ text }) => text),
  };
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: string; content?: unknown }) => part.text ?? textIn(part.content)).join('\n');
}
