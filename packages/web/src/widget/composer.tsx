// Where a visitor writes. Enter sends, Shift and Enter begin a new line.

import { type FormEvent, type KeyboardEvent, type RefObject, useId } from 'react';
import { loadMarkdown } from './answer.tsx';
import type { Conversation, Talk } from './conversation.ts';

export interface ComposerProps {
  readonly conversation: Conversation;
  readonly state: Talk['state'];
  readonly placeholder: string;
  readonly draft: string;
  readonly setDraft: (draft: string) => void;
  readonly input: RefObject<HTMLTextAreaElement | null>;
}

export function Composer({ conversation, state, placeholder, draft, setDraft, input }: ComposerProps) {
  const id = useId();
  const isResting = state === 'resting';
  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (!isResting || draft.trim() === '') return;
    setDraft('');
    void conversation.ask(draft);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isHalfWritten = event.nativeEvent.isComposing;
    if (event.key === 'Enter' && !event.shiftKey && !isHalfWritten) send(event);
  };
  const stop = () => {
    void conversation.stop();
    input.current?.focus();
  };
  return (
    <form className="composer" onSubmit={send}>
      <label className="unseen" htmlFor={id}>
        {placeholder}
      </label>
      <textarea
        ref={input}
        id={id}
        rows={1}
        value={draft}
        placeholder={placeholder}
        onFocus={loadMarkdown}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {isResting ? (
        <button type="submit" className="send" disabled={draft.trim() === ''}>
          Send
        </button>
      ) : (
        <button type="button" className="send" data-kind="stop" onClick={stop}>
          {state === 'stopping' ? 'Stop now' : 'Stop'}
        </button>
      )}
    </form>
  );
}
