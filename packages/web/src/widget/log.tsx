// What was said, newest last. It stays at its end while something is written, unless somebody has scrolled up to read.

import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Answer } from './answer.tsx';
import type { Conversation, Talk } from './conversation.ts';
import { OpenQuestion, PastQuestion } from './open-question.tsx';
import type { ReplyPicture } from './reply.ts';
import { Steps } from './steps.tsx';
import { toVisitorWords } from './visitor-words.ts';

export interface LogProps {
  readonly conversation: Conversation;
  readonly talk: Talk;
  readonly greeting: string;
  readonly label: string;
}

export function Log({ conversation, talk, greeting, label }: LogProps) {
  const place = useStuckToEnd(talk);
  const isWorking = talk.state !== 'resting';
  // What was chosen is gone, and the focus with it: here it goes on.
  const keepFocus = () => place.current?.focus();
  const lastId = talk.messages.at(-1)?.id;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by keys
    <div ref={place} className="log" role="log" aria-label={label} aria-busy={isWorking} tabIndex={0}>
      {greeting === '' ? null : <p className="greeting">{greeting}</p>}
      {talk.messages.map((message) =>
        message.from === 'visitor' ? (
          <div key={message.id} className="asked">
            <span className="unseen">You: </span>
            {message.text}
          </div>
        ) : (
          <Said key={message.id} picture={message.reply.picture} isLost={talk.isLost}>
            {message.id === lastId ? (
              <OpenQuestion conversation={conversation} picture={message.reply.picture} onChosen={keepFocus} />
            ) : (
              <PastQuestion picture={message.reply.picture} />
            )}
          </Said>
        ),
      )}
    </div>
  );
}

interface SaidProps {
  readonly picture: ReplyPicture;
  readonly isLost: boolean;
  /** What it asked. */
  readonly children: ReactNode;
}

/** Nothing where an agent has ended without a word. */
function Said({ picture, isLost, children }: SaidProps) {
  const { text, steps, status, failure, question } = picture;
  const isSilent = text === '' && steps.length === 0 && !failure && !question;
  if (isSilent && status === 'completed') return null;
  return (
    <article className="reply" aria-label="Answer">
      <Body picture={picture} isLost={isLost} />
      {children}
    </article>
  );
}

function Body({ picture, isLost }: { readonly picture: ReplyPicture; readonly isLost: boolean }) {
  const { text, steps, status, failure } = picture;
  const isComing = status === undefined;
  const words = failure && toVisitorWords(failure);
  const note = status === undefined ? undefined : notes[status];
  return (
    <>
      {steps.length > 0 ? <Steps steps={steps} isOpen={isComing} /> : null}
      {text === '' ? null : <Answer text={text} isStreaming={isComing} />}
      {isComing && text === '' ? <p className="waiting">{isLost ? 'Connecting again' : 'At work'}</p> : null}
      {isComing && text !== '' && isLost ? <p className="note">Connecting again</p> : null}
      {note ? <p className="note">{note}</p> : null}
      {words ? (
        <div className="problem" role="alert">
          <p>{words.message}</p>
          {words.remedy ? <p className="remedy">{words.remedy}</p> : null}
        </div>
      ) : null}
    </>
  );
}

/** What the text itself does not say. */
const notes: Readonly<Record<string, string>> = {
  partial: 'This was cut short.',
  cancelled: 'This was stopped.',
  interrupted: 'This was interrupted.',
  needs_client_tools: 'This agent waits for a program that is not here.',
};

function useStuckToEnd(talk: Talk) {
  const place = useRef<HTMLDivElement>(null);
  const count = useRef(0);
  const isStuck = useRef(true);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    let before = 0;
    const onScroll = () => {
      // By the time that this is heard it may have grown again: only who goes up wants to leave the end.
      if (element.scrollTop < before) isStuck.current = false;
      before = element.scrollTop;
      if (element.scrollHeight - before - element.clientHeight < 40) isStuck.current = true;
    };
    const follow = () => {
      if (isStuck.current) element.scrollTop = element.scrollHeight;
    };
    // What is in it grows after it was drawn: texts, images and diagrams come later.
    const observer = new ResizeObserver(follow);
    const watch = new MutationObserver(() => {
      for (const child of element.children) observer.observe(child);
      follow();
    });
    watch.observe(element, { childList: true });
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      watch.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);
  useLayoutEffect(() => {
    // Whoever has asked wants to see what comes.
    if (talk.messages.length > count.current) isStuck.current = true;
    count.current = talk.messages.length;
  }, [talk.messages.length]);
  return place;
}
