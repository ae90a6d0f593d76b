// What is said as a stream of chunks of a chat completion.

import type { SseStream } from '../../../sse.ts';
import type { ClientCall, Failed, Said, Writer } from '../../../talk/said.ts';
import { customInput } from '../custom-tool.ts';
import { toLateErrorBody } from '../openai-error.ts';
import { type ChatHead, finishOf, toUsage } from './chat-reply.ts';
import type { Echo } from './read-chat.ts';

export class ChatWriter implements Writer {
  readonly #stream: SseStream;
  readonly #echo: Echo;
  readonly #before: object;

  constructor(stream: SseStream, head: ChatHead, echo: Echo) {
    this.#stream = stream;
    this.#echo = echo;
    this.#before = { ...head, object: 'chat.completion.chunk', service_tier: 'default', system_fingerprint: null };
  }

  begin(): void {
    this.#delta({ role: 'assistant', content: '', refusal: null });
  }

  text(piece: string): void {
    this.#delta({ content: piece });
  }

  reasoning(piece: string): void {
    this.#delta({ reasoning_content: piece });
  }

  stillAtWork(): void {
    this.#stream.comment('still at work');
  }

  end(said: Said): void {
    const echo = this.#echo;
    for (const delta of deltasOf(said.calls, echo)) this.#delta(delta);
    const finish = [{ index: 0, delta: {}, logprobs: null, finish_reason: finishOf(said, echo) }];
    const about = { ai_agent: said.about };
    this.#chunk(finish, echo.includesUsage ? {} : about);
    if (echo.includesUsage) this.#chunk([], { usage: toUsage(said.usage), ...about });
    this.#stream.sendData('[DONE]');
  }

  fail({ failure, sessionId }: Failed): void {
    this.#stream.sendData(JSON.stringify(toLateErrorBody(failure, { sessionId })));
  }

  #delta(delta: object): void {
    this.#chunk([{ index: 0, delta, logprobs: null, finish_reason: null }]);
  }

  #chunk(choices: readonly object[], more: object = {}): void {
    const usage = this.#echo.includesUsage ? { usage: null } : {};
    this.#stream.sendData(JSON.stringify({ ...this.#before, choices, ...usage, ...more }));
  }
}

/** Each call is named before its arguments come: clients put them together by its place in the list. */
function* deltasOf(calls: readonly ClientCall[], { customNames, isOneCall }: Echo): Iterable<object> {
  for (const [index, { id, name, input }] of calls.entries()) {
    if (isOneCall) {
      yield { function_call: { name, arguments: '' } };
      yield { function_call: { arguments: input } };
      return;
    }
    if (customNames.has(name)) {
      yield { tool_calls: [{ index, id, type: 'custom', custom: { name, input: '' } }] };
      yield { tool_calls: [{ index, custom: { input: customInput(input) } }] };
    } else {
      yield { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] };
      yield { tool_calls: [{ index, function: { arguments: input } }] };
    }
  }
}
