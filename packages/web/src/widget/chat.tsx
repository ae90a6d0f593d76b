// The talk as it is drawn: what was said, what goes on, and where to ask. Inline, or behind a button in the corner of the page.

import { type KeyboardEvent, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { Composer } from './composer.tsx';
import type { Conversation } from './conversation.ts';
import { Log } from './log.tsx';

export interface ChatProps {
  readonly conversation: Conversation;
  readonly heading: string;
  readonly greeting: string;
  readonly placeholder: string;
  /** The words of the button in the corner; nothing where it stands in the text. */
  readonly launcher: string | undefined;
}

export function Chat({ launcher, ...rest }: ChatProps) {
  const [isOpen, setOpen] = useState(false);
  // Whoever closes it in the middle of a sentence finds it again.
  const [draft, setDraft] = useState('');
  const props = { ...rest, draft, setDraft };
  const button = useRef<HTMLButtonElement>(null);
  if (launcher === undefined) return <Panel {...props} />;
  const close = () => {
    // Where there is little room the button is not there before.
    flushSync(() => setOpen(false));
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
  };
  const words = launcher === '' ? 'Ask us' : launcher;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: whatever in it has the focus, Escape closes it
    <div className="corner" onKeyDown={onKeyDown}>
      {isOpen ? <Panel {...props} isFocused onClose={close} /> : null}
      <button ref={button} type="button" className="launcher" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Close' : words}
      </button>
    </div>
  );
}

interface PanelProps extends Omit<ChatProps, 'launcher'> {
  readonly draft: string;
  readonly setDraft: (draft: string) => void;
  readonly isFocused?: boolean;
  readonly onClose?: () => void;
}

function Panel({ conversation, heading, greeting, placeholder, isFocused = false, onClose, ...text }: PanelProps) {
  const talk = useSyncExternalStore(conversation.subscribe, conversation.talk);
  const title = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isFocused) input.current?.focus();
  }, [isFocused]);
  const label = heading === '' ? 'Chat' : heading;
  const hasWords = talk.messages.length > 0;
  const last = talk.messages.at(-1);
  const isAsked = last?.from === 'agent' && last.reply.picture.question?.type === 'question';
  const startAgain = () => {
    conversation.reset();
    input.current?.focus();
  };
  return (
    <section className="panel" aria-labelledby={title}>
      <header className="head" data-empty={heading === '' && !hasWords && !onClose}>
        <h2 id={title} className={heading === '' ? 'unseen' : 'title'}>
          {label}
        </h2>
        {hasWords ? (
          <button type="button" className="quiet" onClick={startAgain}>
            Start again
          </button>
        ) : null}
        {onClose ? (
          <button type="button" className="quiet close" onClick={onClose}>
            Close
          </button>
        ) : null}
      </header>
      <Log conversation={conversation} talk={talk} greeting={greeting} label={label} />
      <Composer
        conversation={conversation}
        state={talk.state}
        placeholder={isAsked ? 'Your answer' : placeholder}
        input={input}
        {...text}
      />
    </section>
  );
}
