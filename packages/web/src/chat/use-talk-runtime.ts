// The chat library on our own store: it draws what the entries say, and hands over what was written.

import {
  type AppendMessage,
  type AssistantRuntime,
  type AttachmentAdapter,
  MessageNotSentError,
  useExternalStoreRuntime,
} from '@assistant-ui/react';
import { useContext, useEffect, useRef } from 'react';
import type { Attachment } from '../server/api.ts';
import { DraftsContext } from './drafts.ts';
import type { Entry } from './entries.ts';
import { toThreadMessage } from './to-thread-message.ts';

export interface TalkRuntimeOptions {
  readonly entries: readonly Entry[];
  readonly isAtWork: boolean;
  readonly attachments: AttachmentAdapter | undefined;
  /** What is written is kept under it. */
  readonly draft: string;
  /** Says whether it was taken: what was not stays in the composer, or where that was left is kept for whoever comes back. */
  readonly onSend: (text: string, attachments: readonly Attachment[]) => Promise<boolean>;
}

export function useTalkRuntime(options: TalkRuntimeOptions): AssistantRuntime {
  const { entries, isAtWork, attachments, draft, onSend } = options;
  const drafts = useContext(DraftsContext);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  return useExternalStoreRuntime<Entry>({
    messages: entries,
    isRunning: isAtWork,
    isSendDisabled: isAtWork,
    convertMessage: toThreadMessage,
    onNew: async (message) => {
      const text = textIn(message);
      if (await onSend(text, filesIn(message))) return;
      if (isLeft.current) drafts.giveBack(draft, text, chosenIn(message));
      throw new MessageNotSentError();
    },
    ...(attachments ? { adapters: { attachments } } : {}),
  });
}

function textIn({ content }: AppendMessage): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function filesIn({ attachments = [] }: AppendMessage): readonly Attachment[] {
  return attachments
    .flatMap(({ content }) => content)
    .flatMap((part) => {
      if (part.type !== 'file') return [];
      const { mimeType: mediaType, data, filename: name } = part;
      return [{ mediaType, data, ...(name === undefined ? {} : { name }) }];
    });
}

/** The same, as they were chosen. */
function chosenIn({ attachments = [] }: AppendMessage): readonly File[] {
  return attachments.flatMap(({ file }) => (file ? [file] : []));
}
