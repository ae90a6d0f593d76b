// A form for a JSON Schema, or its JSON: both show the same value.

import type { Json, JsonSchema } from '@ai-agent/core';

export interface SchemaFormProps {
  readonly schema: JsonSchema;
  /** What it begins with. @default what the schema says */
  readonly value?: Json;
  readonly submitLabel: string;
  readonly isBusy: boolean;
  readonly onSubmit: (value: Json) => void;
}

export function SchemaForm({ submitLabel }: SchemaFormProps) {
  return <form>{submitLabel}</form>;
}
