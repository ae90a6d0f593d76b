// The data of server-sent events, from bytes in whatever pieces they arrive.

/** Yields the data of one event after the other. What has no blank line after it is not an event yet, and is dropped. */
export class EventReader {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #data: string | undefined;

  /** The events that these bytes complete. */
  take(bytes: Uint8Array): readonly string[] {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#takeLine(line) ?? []);
  }

  #takeLine(line: string): string | undefined {
    if (line === '') {
      const data = this.#data;
      this.#data = undefined;
      return data;
    }
    // Comments, ids and names are nothing to us.
    if (!line.startsWith('data:')) return undefined;
    const value = line.slice(line[5] === ' ' ? 6 : 5);
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    return undefined;
  }
}
