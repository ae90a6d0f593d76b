import type { ToolSourceFactory } from '@ai-agent/core';
export const restSource =
  (..._: unknown[]): ToolSourceFactory =>
  () => ({ list: () => [] });
