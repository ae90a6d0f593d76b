// Part of the page's script: an answer as it is written, read from server-sent events.

export const stream = String.raw`
/** Each event as its name and data. */
async function* eventsOf(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let waiting = '';
  for (;;) {
    const { done, value } = await reader.read();
    waiting += decoder.decode(value, { stream: !done });
    const blocks = waiting.split('\n\n');
    waiting = blocks.pop();
    for (const block of blocks) {
      const event = toEvent(block);
      if (event) yield event;
    }
    if (done) return;
  }
}

function toEvent(block) {
  const lines = block.split('\n');
  const valuesOf = (name) => lines.filter((line) => line.startsWith(name + ':')).map((line) => line.slice(name.length + 1).replace(/^ /, ''));
  const [name] = valuesOf('event');
  const data = valuesOf('data').join('\n');
  return name === undefined || data === '' ? undefined : { name, data: JSON.parse(data) };
}
`;
