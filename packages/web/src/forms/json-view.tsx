// Data as a table or a tree, or as it is.

import type { Json } from '@ai-agent/core';

export interface JsonViewProps {
  readonly value: Json;
  /** What it is, for those who hear the page. */
  readonly label: string;
}

export function JsonView({ value, label }: JsonViewProps) {
  return <pre aria-label={label}>{JSON.stringify(value, null, 2)}</pre>;
}
