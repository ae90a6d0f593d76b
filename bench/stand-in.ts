// A stand-in for a model provider: answers chat completions from the request alone, so that every contender does the same work.
// A prompt that begins with `lead N` asks for N sub-agents at once; one that begins with `worker` uses a tool once, then answers.

import { createServer } from 'node:http';

interface WireMessage {
  readonly role: string;
  readonly content: string | { text?: string }[] | null;
}

interface WireRequest {
  readonly messages: readonly WireMessage[];
  readonly stream?: boolean;
}

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as WireRequest;
    const message = answer(body);
    const finish = 'tool_calls' in message ? 'tool_calls' : 'stop';
    if (body.stream)
      return stream(
        message,
        finish,
        (text) => response.write(text),
        () => response.end(),
      );
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
        usage,
      }),
    );
  });
});

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' && address ? address.port : '');
});

function answer({ messages }: WireRequest): Record<string, unknown> {
  const system = textOf(messages[0]);
  const results = messages.filter((message) => message.role === 'tool').map(textOf);
  const count = Number(/^lead (\d+)/.exec(system)?.[1] ?? 0);
  if (count > 0) {
    if (results.length > 0)
      return { content: `lead done ${results.filter((text) => text.includes('worker done')).length}` };
    return calls(
      Array.from({ length: count }, (_, i) => [`agent__worker_${i}`, { text: `part ${i}`, reason: 'measure' }]),
    );
  }
  return results.length > 0 ? { content: 'worker done' } : calls([['calculate', { expression: '1 + 1' }]]);
}

function calls(list: [name: string, input: object][]): Record<string, unknown> {
  return {
    content: null,
    tool_calls: list.map(([name, input], i) => ({
      id: `call_${i}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    })),
  };
}

function stream(
  message: Record<string, unknown>,
  finish: string,
  write: (text: string) => void,
  end: () => void,
): void {
  const send = (choices: object[], rest: object = {}) =>
    write(
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...rest })}\n\n`,
    );
  const delta = (fields: object) => send([{ index: 0, delta: fields, finish_reason: null }]);
  const list = message.tool_calls as { id: string; function: { name: string; arguments: string } }[] | undefined;
  for (const [index, call] of (list ?? []).entries()) delta({ tool_calls: [{ index, ...call, type: 'function' }] });
  for (const word of String(message.content ?? '').match(/\S+\s*/g) ?? []) if (!list) delta({ content: word });
  send([{ index: 0, delta: {}, finish_reason: finish }]);
  send([], { usage });
  write('data: [DONE]\n\n');
  end();
}

function textOf(message: WireMessage | undefined): string {
  if (typeof message?.content === 'string') return message.content;
  return (message?.content ?? []).map((part) => part.text ?? '').join('');
}
