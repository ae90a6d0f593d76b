// An entry of a talk as the chat library wants it. What only we know of it goes along as it is.

import type { ThreadMessageLike } from '@assistant-ui/react';
import { useAuiState } from '@assistant-ui/react';
import type { Answer } from './answer.ts';
import type { Entry } from './entries.ts';

export function toThreadMessage(entry: Entry): ThreadMessageLike {
  const metadata = { custom: { entry } };
  if (entry.role === 'user') return { role: 'user', id: entry.id, content: entry.text, metadata };
  if (!entry.answer) return { role: 'assistant', id: entry.id, content: entry.text, status: complete, metadata };
  return {
    role: 'assistant',
    id: entry.id,
    content: toContent(entry.answer),
    status: entry.answer.state.type === 'over' ? complete : { type: 'running' },
    metadata,
  };
}

const complete = { type: 'complete', reason: 'stop' } as const;

function toContent({ steps, text, report }: Answer): Exclude<ThreadMessageLike['content'], string> {
  // The library leaves out a part without words.
  const thoughts = steps.map(({ reasoning, text: said }) => reasoning || said).join('\n\n');
  return [
    ...(steps.length > 0 ? [{ type: 'reasoning' as const, text: thoughts }] : []),
    ...(report === undefined ? [{ type: 'text' as const, text }] : [{ type: 'data' as const, name, data: report }]),
  ];
}

/** What a report is called among the parts of a message. */
const name = 'report';

/** The entry that the message in whose place this is called was made of. */
export function useEntry(): Entry {
  return useAuiState((state) => state.message.metadata.custom.entry as Entry);
}

export function useAnswer(): Answer | undefined {
  const entry = useEntry();
  return entry.role === 'assistant' ? entry.answer : undefined;
}
