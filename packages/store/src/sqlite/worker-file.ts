// Where the thread's code is: beside this in the sources; in the package a file of its own, above the folders that hold pieces.

export const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './sqlite-worker.ts' : '../sqlite-worker.cjs',
  import.meta.url,
);
