// A response whose end is noticed: whether all of it was taken, or whoever took it has gone.

export type BodyEnd = 'taken' | 'dropped';

export function watchBody(response: Response, onEnd: (end: BodyEnd) => void): Response {
  if (!response.body) return response;
  const reader = response.body.getReader();
  const { status, headers } = response;
  const watched = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
        onEnd('taken');
      },
      async cancel(reason) {
        onEnd('dropped');
        await reader.cancel(reason);
      },
    },
    // Nothing is taken before somebody asks for it.
    { highWaterMark: 0 },
  );
  return new Response(watched, { status, headers });
}
