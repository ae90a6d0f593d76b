// Modules that are loaded when they are first needed, so that who does not need them does not pay.

/**
 * Loads once and keeps the result: even for a loaded module `import()` is slow, and Node's loader looks into the
 * environment. A load that failed is not kept, the next call tries again.
 */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
