// Going on with a session: a further message, or the answer to what it asks. What could not be sent is not lost.

import { useState } from 'react';
import type { Api, Attachment } from '../server/api.ts';
import type { Failure, Standing } from '../server/documents.ts';
import { toFailure } from '../server/to-failure.ts';
import type { Picture, SessionView } from '../session/session-view.ts';
import type { Budget } from './budget-fields.tsx';
import type { Sent } from './entries.ts';

export interface Sending {
  /** What was sent and is in no fact yet. */
  readonly sent: Sent | undefined;
  /** Another number whenever one is to write: behind what was sent, and where the focus would be lost. */
  readonly count: number;
  readonly focus: () => void;
  readonly isBusy: boolean;
  readonly failure: Failure | undefined;
  readonly setFailure: (failure: Failure | undefined) => void;
  /** What the next round may use at most: what was typed, or else what holds from before. */
  readonly budget: Budget;
  /** What was typed, and not sent yet: it takes the place of what holds. */
  readonly typed: Budget | undefined;
  readonly setBudget: (budget: Budget) => void;
  readonly send: (text: string, attachments: readonly Attachment[]) => Promise<boolean>;
  readonly sendValue: (value: unknown) => Promise<boolean>;
  readonly answer: (answer: unknown) => Promise<boolean>;
}

export interface SendingOptions {
  readonly api: Api;
  readonly view: SessionView;
  readonly picture: Picture;
  readonly sent: Sent | undefined;
}

export function useSending({ api, view, picture, sent: begun }: SendingOptions): Sending {
  const [sent, setSent] = useState(begun);
  const [count, setCount] = useState(begun ? 1 : 0);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [typed, setTyped] = useState<Budget>();
  const session = view.id;
  const focus = () => setCount((before) => before + 1);
  const goOn = async (said: Omit<Sent, 'after'>, doIt: () => Promise<Standing>) => {
    setBusy(true);
    focus();
    setFailure(undefined);
    setSent({ ...said, after: picture.rounds.length });
    try {
      view.changed(await doIt());
      return true;
    } catch (error) {
      setSent(undefined);
      setFailure(toFailure(error, 'What you wrote is still here: see whether the server is there, and send it again.'));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const start = async (input: unknown, attachments: readonly Attachment[]) => {
    const more = { ...(typed ? { budget: typed } : {}), ...(attachments.length > 0 ? { attachments } : {}) };
    const standing = await api.start({ session, input, ...more });
    setTyped(undefined);
    return standing;
  };
  return {
    sent,
    count,
    focus,
    isBusy,
    failure,
    setFailure,
    budget: typed ?? picture.standing?.budget ?? {},
    typed,
    setBudget: setTyped,
    send: (text, attachments) => {
      const files = attachments.map((file) => ({ type: 'file' as const, ...file }));
      return goOn({ text, files }, () => start(text, attachments));
    },
    sendValue: (value) => goOn({ text: JSON.stringify(value), files: [] }, () => start(value, [])),
    answer: (answer) => {
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
      return goOn({ text, files: [] }, () => api.answer(session, answer));
    },
  };
}
