// What was said so far, the newest at the end and in sight.

import { MessagePrimitive, ThreadPrimitive } from '@assistant-ui/react';
import type { ReactNode } from 'react';
import { AnswerMessage } from './answer-message.tsx';
import { AskedMessage } from './asked-message.tsx';
import styles from './thread.module.css';

export interface ThreadProps {
  /** What stands in the place of a talk that has not begun. */
  readonly opening?: ReactNode;
  /** Below what was said: where something is said. */
  readonly children?: ReactNode;
}

export function Thread({ opening, children }: ThreadProps) {
  const hasBegun = opening === undefined;
  return (
    <ThreadPrimitive.Root className={styles.thread}>
      {/* What scrolls is to be reached by keys. What has not begun is read from its top. */}
      <ThreadPrimitive.Viewport
        className={styles.viewport}
        tabIndex={0}
        role="region"
        aria-label="Conversation"
        autoScroll={hasBegun}
        scrollToBottomOnInitialize={hasBegun}
        scrollToBottomOnRunStart={hasBegun}
        scrollToBottomOnThreadSwitch={hasBegun}
      >
        {opening ?? (
          <div className={styles.measure}>
            <ThreadPrimitive.Messages>{drawMessage}</ThreadPrimitive.Messages>
          </div>
        )}
        {hasBegun ? (
          <ThreadPrimitive.ScrollToBottom asChild>
            <button type="button" className={styles.down}>
              To the end
            </button>
          </ThreadPrimitive.ScrollToBottom>
        ) : null}
      </ThreadPrimitive.Viewport>
      {children ? <div className={styles.foot}>{children}</div> : null}
    </ThreadPrimitive.Root>
  );
}

/** One function for all: another one each time would draw everything anew. */
function drawMessage({ message }: { readonly message: { readonly role: string } }): ReactNode {
  const isAsked = message.role === 'user';
  return (
    <MessagePrimitive.Root asChild>
      <article className={isAsked ? styles.asked : styles.answered} aria-label={isAsked ? 'You' : 'Answer'}>
        {isAsked ? <AskedMessage /> : <AnswerMessage />}
      </article>
    </MessagePrimitive.Root>
  );
}
