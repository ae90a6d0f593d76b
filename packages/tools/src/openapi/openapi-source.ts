import type { ToolSourceFactory } from '@ai-agent/core';
export const openapiSource =
  (..._: unknown[]): ToolSourceFactory =>
  () => ({ list: () => [] });
