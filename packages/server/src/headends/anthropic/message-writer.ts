// A run as the events of a message: block after block, each begun, written and ended, as Anthropic's clients put them together.

import type { SseStream } from '../../sse.ts';
import type { ClientCall, Failed, Said, Writer } from '../../talk/said.ts';
import { toErrorBody } from './anthropic-error.ts';
import { emptyText, type MessageHead, signatureOf, toCall, toFrame, toStop } from './message-reply.ts';
import { toDeltaUsage, toFirstUsage } from './message-usage.ts';

export class MessageWriter implements Writer {
  readonly #stream: SseStream;
  readonly #head: MessageHead;
  readonly #onEnd: (said: Said) => Promise<void>;
  /** The block that is being written. */
  #open: 'text' | 'thinking' | undefined;
  #blocks = 0;
  /** Of the open block. */
  #thinking = '';

  /** `onEnd` is told what was said, and has kept it before the client knows that it was all. */
  constructor(stream: SseStream, head: MessageHead, onEnd: (said: Said) => Promise<void> = async () => {}) {
    this.#stream = stream;
    this.#head = head;
    this.#onEnd = onEnd;
  }

  begin(): void {
    const message = { ...toFrame(this.#head), usage: toFirstUsage(this.#head.inputTokens) };
    this.#send('message_start', { message });
    this.#send('ping');
  }

  text(piece: string): void {
    if (piece === '') return;
    this.#openAs('text');
    this.#delta({ type: 'text_delta', text: piece });
  }

  reasoning(piece: string): void {
    if (piece === '' || !this.#head.showsThinking) return;
    this.#openAs('thinking');
    this.#thinking += piece;
    this.#delta({ type: 'thinking_delta', thinking: piece });
  }

  stillAtWork(): void {
    this.#send('ping');
  }

  async end(said: Said): Promise<void> {
    await this.#onEnd(said);
    this.#close();
    for (const call of said.calls) this.#call(call);
    this.#send('message_delta', {
      delta: { ...toStop(said), container: null },
      usage: toDeltaUsage(said.usage),
      context_management: null,
      ai_agent: said.about,
    });
    this.#send('message_stop');
  }

  fail({ failure, sessionId }: Failed): void {
    this.#stream.send({ event: 'error', data: toErrorBody(failure, { sessionId }) });
  }

  #call(call: ClientCall): void {
    this.#send('content_block_start', { index: this.#blocks, content_block: toCall(call) });
    this.#delta({ type: 'input_json_delta', partial_json: call.input });
    this.#stop();
  }

  #openAs(kind: 'text' | 'thinking'): void {
    if (this.#open === kind) return;
    this.#close();
    this.#open = kind;
    const block = kind === 'text' ? emptyText : { type: 'thinking', thinking: '', signature: '' };
    this.#send('content_block_start', { index: this.#blocks, content_block: block });
  }

  #close(): void {
    if (!this.#open) return;
    if (this.#open === 'thinking') this.#delta({ type: 'signature_delta', signature: signatureOf(this.#thinking) });
    this.#thinking = '';
    this.#open = undefined;
    this.#stop();
  }

  #stop(): void {
    this.#send('content_block_stop', { index: this.#blocks });
    this.#blocks += 1;
  }

  #delta(delta: object): void {
    this.#send('content_block_delta', { index: this.#blocks, delta });
  }

  #send(type: string, data: object = {}): void {
    this.#stream.send({ event: type, data: { type, ...data } });
  }
}
