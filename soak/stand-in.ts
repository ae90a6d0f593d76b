// Model provider and tool in one, on the side that survives: answers from the request alone, counts each, and holds some back.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** How many readers a lead asks at once. */
export const fanOut = 4;

interface Answered {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: object }[];
}

export class StandIn {
  /** How often each call was asked for, by session and operation. */
  readonly asked = new Map<string, number>();
  /** The most model calls that were under way at once, since somebody set it back. */
  most = 0;
  #underWay = 0;
  #held: readonly string[] = [];
  readonly #waiting = new Map<string, () => void>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  listen(port: number): string {
    this.#server.listen(port, '127.0.0.1');
    return `http://127.0.0.1:${port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** From now on these calls get no answer, and all others do. */
  hold(calls: readonly string[]): void {
    this.#held = calls;
    for (const [key, answer] of [...this.#waiting]) if (!calls.includes(key)) answer();
  }

  /** Calls that are held, and that somebody waits for. */
  get waiting(): readonly string[] {
    return [...this.#waiting.keys()].sort();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const isTool = request.url === '/tool';
    const key = isTool ? String(body.key) : keyOf(body);
    this.asked.set(key, (this.asked.get(key) ?? 0) + 1);
    const weight = isTool ? 0 : 1;
    this.#underWay += weight;
    this.most = Math.max(this.most, this.#underWay);
    const isThere = !this.#held.includes(key) || (await this.#wait(key, response));
    this.#underWay -= weight;
    if (!isThere) return;
    if (isTool) response.end(meaningOf(body.word));
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(toCompletion(key, body)));
  }

  /** Whether whoever asked is still there when the answer is due. */
  async #wait(key: string, response: ServerResponse): Promise<boolean> {
    const answered = new Promise<boolean>((resolve) => {
      this.#waiting.set(key, () => resolve(true));
      response.once('close', () => resolve(false));
    });
    const isThere = await answered;
    this.#waiting.delete(key);
    return isThere;
  }
}

interface WireRequest {
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

interface WireMessage {
  readonly role: string;
  readonly content: string | readonly { readonly text?: string }[] | null;
}

/** A prompt is the id of its run, for the lead, and with the number of a part for a reader. */
function keyOf({ messages }: WireRequest): string {
  const { run, part, since } = read(messages);
  const turn = since.filter(({ role }) => role === 'assistant').length + 1;
  return `${part === undefined ? run : `${run}~1.${part}`}/turn.${turn}.model`;
}

/** The last prompt, what was said since, and how many prompts came before it. */
function read(messages: readonly WireMessage[]) {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const [run = '', part] = textOf(messages[at]).split(' part ');
  const before = messages.slice(0, at).filter(({ role }) => role === 'user').length;
  return { run, part, since: messages.slice(at), before };
}

/** What a call costs: another figure for each part and turn, so that one counted twice or left out shows in the sum. */
export function usageOf(key: string): { readonly inputTokens: number; readonly outputTokens: number } {
  const [, part = '0', turn = '0'] = /(?:~1\.(\d))?\/turn\.(\d)/.exec(key) ?? [];
  return { inputTokens: 1000 * Number(turn) + 100 * Number(part), outputTokens: 10 * Number(turn) + Number(part) };
}

function toCompletion(key: string, request: WireRequest) {
  const { text = null, calls = [] } = answer(request);
  const tool_calls = calls.map(({ name, input }, i) => ({
    id: `call_${i}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const message = { role: 'assistant', content: text, ...(calls.length > 0 ? { tool_calls } : {}) };
  const { inputTokens, outputTokens } = usageOf(key);
  return {
    id: key,
    object: 'chat.completion',
    created: 1,
    model: 'stand-in',
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
  };
}

function answer({ messages, tools = [] }: WireRequest): Answered {
  const { run, part, since, before } = read(messages);
  const results = since.filter(({ role }) => role === 'tool').map(textOf);
  if (part !== undefined)
    return results.length > 0
      ? { text: answerOf(part, results, before) }
      : { calls: wordsOf(part).map((word) => ({ name: 'look_up', input: { word } })) };
  if (results.length > 0) return { text: results.join('; ') };
  const name = tools.map((tool) => tool.function.name).find((tool) => tool.startsWith('agent__')) ?? '';
  const parts = Array.from({ length: fanOut }, (_, i) => ({ text: `${run} part ${i + 1}`, reason: 'to read' }));
  return { calls: parts.map((input) => ({ name, input })) };
}

/** What a reader says of its part, and how many it read before. */
export function answerOf(part: string, found = wordsOf(part).map(meaningOf), before = 0): string {
  return `part ${part}: ${found.join(', ')}${before > 0 ? ` after ${before}` : ''}`;
}

/** Looked up at once, in one turn. */
function wordsOf(part: string): readonly string[] {
  return [`one-${part}`, `two-${part}`];
}

function meaningOf(word: string): string {
  return `${word} is ${word.toUpperCase()}`;
}

function textOf(message: WireMessage | undefined): string {
  if (typeof message?.content === 'string') return message.content;
  return (message?.content ?? []).map((part) => part.text ?? '').join('');
}
