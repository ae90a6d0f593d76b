// A response as a stream of events: every item opened, filled and closed in its order, every event with its number.

import type { SseStream } from '../../../sse.ts';
import type { ClientCall, Failed, Said, Writer } from '../../../talk/said.ts';
import { toLateErrorBody } from '../openai-error.ts';
import { type ItemKind, ItemWriter, type Tell, writeCall } from './item-writer.ts';
import { type ItemStatus, type OutputItem, type ToId, toCallItem } from './output-items.ts';
import type { SentTools } from './read-tools.ts';
import { type ResponseObject, toFailed, toSaid } from './response-object.ts';

export interface ResponseWriting {
  /** As it is in the beginning. */
  readonly response: ResponseObject;
  readonly tools: SentTools;
  readonly toId: ToId;
  readonly now: () => number;
  /** Told what came of it, and has kept it before anybody else is told. */
  readonly onEnd: (response: ResponseObject, said?: Said) => Promise<void>;
}

export class ResponseWriter implements Writer {
  readonly #stream: SseStream;
  readonly #writing: ResponseWriting;
  readonly #output: OutputItem[] = [];
  #open: ItemWriter | undefined;
  #events = 0;

  constructor(stream: SseStream, writing: ResponseWriting) {
    this.#stream = stream;
    this.#writing = writing;
  }

  begin(): void {
    this.#tellResponse('response.created', this.#writing.response);
    this.#tellResponse('response.in_progress', this.#writing.response);
  }

  text(piece: string): void {
    if (piece !== '') this.#opened('message').add(piece);
  }

  reasoning(piece: string): void {
    if (piece !== '') this.#opened('reasoning').add(piece);
  }

  /** Clients that wait for an event take no comment for one. */
  stillAtWork(): void {
    const output = [...this.#output, ...(this.#open ? [this.#open.item] : [])];
    this.#tellResponse('response.in_progress', { ...this.#writing.response, output });
  }

  async end(said: Said): Promise<void> {
    // Whoever reads a response looks for a message.
    if (said.text === '' && said.calls.length === 0) this.#opened('message');
    this.#close(said.isCut && said.calls.length === 0 ? 'incomplete' : 'completed');
    for (const call of said.calls) this.#call(call);
    const { response, now, onEnd } = this.#writing;
    const ended = toSaid(response, said, { output: this.#output, now: now() });
    await onEnd(ended, said);
    this.#tellResponse(`response.${ended.status}`, ended);
    this.#stream.sendData('[DONE]');
  }

  async fail(came: Failed): Promise<void> {
    const { failure, sessionId } = came;
    this.#close('incomplete');
    const { response, onEnd } = this.#writing;
    const failed = toFailed(response, failure, { output: this.#output, sessionId });
    await onEnd(failed);
    this.#tellError(came);
    this.#tellResponse('response.failed', failed);
    this.#stream.sendData('[DONE]');
  }

  #opened(kind: ItemKind): ItemWriter {
    if (this.#open?.kind === kind) return this.#open;
    this.#close('completed');
    const place = { index: this.#output.length, tell: this.#tell };
    this.#open = new ItemWriter(kind, this.#writing.toId, place);
    return this.#open;
  }

  #close(status: ItemStatus): void {
    if (this.#open) this.#output.push(this.#open.close(status));
    this.#open = undefined;
  }

  #call(call: ClientCall): void {
    const { tools, toId } = this.#writing;
    const item = toCallItem(call, tools, toId);
    writeCall(item, { index: this.#output.length, tell: this.#tell });
    this.#output.push(item);
  }

  /** In both shapes that clients know: that of the reference, and the one that is sent. */
  #tellError({ failure, sessionId }: Failed): void {
    const { error } = toLateErrorBody(failure, { sessionId });
    const { code, message, param } = error;
    this.#tell('error', { code, message, param, error });
  }

  #tellResponse(type: string, response: ResponseObject): void {
    this.#tell(type, { response });
  }

  readonly #tell: Tell = (type, fields) => {
    this.#stream.send({ event: type, data: { type, sequence_number: this.#events, ...fields } });
    this.#events += 1;
  };
}
