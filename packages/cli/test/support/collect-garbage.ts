// Frees what can be freed, in a process that was started so that it may say when.

/** More than once: what became free through one collection is taken by the next. */
export async function collectGarbage(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
