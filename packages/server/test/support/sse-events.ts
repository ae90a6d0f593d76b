// Server-sent events, read as a client reads them.

export interface ReadEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: Record<string, unknown>;
}

export async function* parseEvents(chunks: AsyncIterable<Uint8Array>): AsyncIterable<ReadEvent> {
  for await (const { data, ...event } of rawEvents(chunks)) yield { ...event, data: JSON.parse(data) };
}

export interface RawEvent extends Omit<ReadEvent, 'data'> {
  /** As it was sent: not everybody sends JSON alone. */
  readonly data: string;
}

export async function* rawEvents(chunks: AsyncIterable<Uint8Array>): AsyncIterable<RawEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) if (!block.startsWith(':')) yield parseBlock(block);
  }
}

function parseBlock(block: string): RawEvent {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  return { event: field('event') ?? '', id: field('id'), data: field('data') ?? '{}' };
}
