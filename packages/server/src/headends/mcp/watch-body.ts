// A response whose end is noticed: when all of it was taken, or whoever took it has gone.

/** Told once. Only for streams that end with what was said last, and never fail. */
export function watchBody(response: Response, onEnd: () => void): Response {
  if (!response.body) return response;
  const reader = response.body.getReader();
  const { status, headers } = response;
  let isDropped = false;
  const watched = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (isDropped) return;
        if (!done) return controller.enqueue(value);
        controller.close();
        onEnd();
      },
      async cancel(reason) {
        isDropped = true;
        onEnd();
        await reader.cancel(reason);
      },
    },
    // Nothing is taken before somebody asks for it.
    { highWaterMark: 0 },
  );
  return new Response(watched, { status, headers });
}
