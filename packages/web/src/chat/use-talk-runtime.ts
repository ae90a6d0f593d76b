// The chat library on our own store: it draws what the entries say, and hands over what was written.

import {
  type AppendMessage,
  type AssistantRuntime,
  type AttachmentAdapter,
  MessageNotSentError,
  useExternalStoreRuntime,
} from '@assistant-ui/react';
import type { Attachment } from '../server/api.ts';
import type { Entry } from './entries.ts';
import { toThreadMessage } from './to-thread-message.ts';

export interface TalkRuntimeOptions {
  readonly entries: readonly Entry[];
  readonly isAtWork: boolean;
  readonly attachments: AttachmentAdapter | undefined;
  /** Says whether it was taken: what was not stays in the composer. */
  readonly onSend: (text: string, attachments: readonly Attachment[]) => Promise<boolean>;
}

export function useTalkRuntime({ entries, isAtWork, attachments, onSend }: TalkRuntimeOptions): AssistantRuntime {
  return useExternalStoreRuntime<Entry>({
    messages: entries,
    isRunning: isAtWork,
    isSendDisabled: isAtWork,
    convertMessage: toThreadMessage,
    onNew: async (message) => {
      if (!(await onSend(textIn(message), filesIn(message)))) throw new MessageNotSentError();
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
