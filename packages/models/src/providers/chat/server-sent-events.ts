// The data of server-sent events, from bytes in whatever pieces they arrive.

/** Yields the data of one event after the other. What has no blank line after it is not an event yet, and is dropped. */
export class EventReader {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #isAfterReturn = false;
  #data: string | undefined;

  /** The events that these bytes complete. Looks at each byte once, however many pieces a line comes in. */
  take(bytes: Uint8Array): readonly string[] {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (text === '') return [];
    // A line may end with CR, LF or both; both may come in two pieces.
    if (this.#isAfterReturn && text[0] === '\n') text = text.slice(1);
    const lines = text.split(/\r\n|\n|\r/);
    lines[0] = this.#rest + lines[0];
    this.#rest = lines.pop() ?? '';
    this.#isAfterReturn = text.endsWith('\r');
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
