// Server-sent events, read as they come.

export interface Frame {
  /** Its number; only what the server has for good has one. */
  readonly id: number | undefined;
  readonly event: string;
  readonly data: string;
}

/** Ends with the stream; throws when that breaks off. */
export async function* framesOf(response: Response): AsyncGenerator<Frame> {
  if (!response.body) return;
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = `${rest}${text}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const frame = toFrame(block);
      if (frame) yield frame;
    }
  }
}

function toFrame(block: string): Frame | undefined {
  const fields = new Map(block.split('\n').map((line) => [line.split(': ', 1)[0] ?? '', line.replace(/^\w*: /, '')]));
  const data = fields.get('data');
  if (data === undefined) return undefined;
  const id = fields.get('id');
  return { id: id === undefined ? undefined : Number(id), event: fields.get('event') ?? 'message', data };
}
