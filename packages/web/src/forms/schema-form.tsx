// JSON that fits a schema, written by hand.

import type { JsonSchema } from '@ai-agent/core';
import { useState } from 'react';

export interface SchemaFormProps {
  readonly schema: JsonSchema;
  readonly value?: unknown;
  readonly submitLabel: string;
  readonly isBusy: boolean;
  readonly onSubmit: (value: unknown) => void;
}

export function SchemaForm({ submitLabel, isBusy, onSubmit }: SchemaFormProps) {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(JSON.parse(text));
      }}
    >
      <textarea aria-label="JSON" value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit" disabled={isBusy}>
        {submitLabel}
      </button>
    </form>
  );
}
