// Answers what was said in a thread: in the session that the thread is, or in a new one.

import { AgentError, isUnderWay, type Question, type SessionHead } from '@ai-agent/core';
import { hasLeave } from '../act/leave.ts';
import { readReply } from '../act/reply.ts';
import { settle } from '../act/settle.ts';
import { toRequest } from '../ask/request.ts';
import { isUnreachable } from '../connect/slack-api.ts';
import type { DeskAgent } from '../desk.ts';
import type { Heard } from '../hear/heard.ts';
import type { Routed } from '../route/route.ts';
import type { Surroundings } from '../surroundings.ts';
import { settleLeft } from './pick-up.ts';
import type { RunNote } from './run-notes.ts';
import { ThreadRun } from './thread-run.ts';
import type { Thread, ThreadNote } from './threads.ts';

export interface Answering {
  readonly thread: Thread;
  readonly routed: Extract<Routed, { how: 'route' }>;
  /** What was said, by its name in `Unbegun`. */
  readonly said: string;
  /** What shows it at work already. */
  readonly statusTs: string | undefined;
  /** For the one who said it alone. */
  tell(text: string): Promise<void>;
}

/** Settles when all of it is in the thread, which is ours alone now; `busy` where its turn has not come, `left` where it is for a server that comes after this one. Throws where nothing can be said there at all. */
export async function answerInThread(
  around: Surroundings,
  heard: Heard,
  answering: Answering,
): Promise<'answered' | 'busy' | 'left'> {
  const { threads, runNotes, desk, settings } = around;
  const { thread, routed, said, statusTs, tell } = answering;
  const note = await threads.get(thread);
  const head = note && (await desk.find(note.session));
  // Another process runs it, which is gone, and not yet known to be.
  if (head && isUnderWay(head)) return 'busy';
  const left = head && (await runNotes.get(head.id));
  // All is as it was before.
  if (left && (await settleBefore(around, left, head)) === 'unbegun') return answerInThread(around, heard, answering);
  // It had begun, and that is told.
  if (left?.said === said) return 'answered';
  const { user = '' } = heard;
  if (note && head?.question && !hasLeave(settings, note.asker, user)) {
    await tell('I wait here for an answer of the person who asked, or of an admin.');
    return 'answered';
  }
  const name = head?.agent ?? routed.agent;
  const agent = findAgent(desk.agents(), name);
  const answer = { words: '' };
  const run = new ThreadRun(around, {
    thread,
    // The answer of another does not make it theirs.
    asker: note && head?.question ? note.asker : user,
    person: user,
    agent: agent?.name ?? name ?? 'The agent',
    said,
    statusTs,
    askedTs: note?.askedTs,
    seenTs: head && note && Number(note.seenTs) > Number(heard.ts) ? note.seenTs : heard.ts,
    ask: async ({ throwIfCancelled, ...hearing }) => {
      if (!agent) throw unknownAgent(name);
      const isAnswer = head?.question !== undefined;
      const known = { since: head && note?.seenTs, askedBefore: head && note?.asker };
      const request = await toRequest(around, heard, { agent, routed, isAnswer, ...known });
      await throwIfCancelled();
      const { text, words, title } = request;
      const attachments = request.attachments.length === 0 ? undefined : request.attachments;
      answer.words = text;
      if (head?.question) {
        const meant = readReply(head.question, words, text);
        return desk.begin({ ...hearing, session: head.id, answer: meant, round: head.resumptions });
      }
      if (head) return desk.begin({ ...hearing, session: head.id, message: text, attachments });
      return desk.begin({ ...hearing, agent: agent.name, prompt: text, title, attachments });
    },
    onBegun: () => settleAnswered(around, thread, { note, question: head?.question, user, words: answer.words }),
  });
  return run.run();
}

/** What cannot be told of it now is told later: it keeps nobody from going on. */
async function settleBefore(around: Surroundings, note: RunNote, head: SessionHead): Promise<'told' | 'unbegun'> {
  try {
    return await settleLeft(around, { name: head.id, note }, head);
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    return 'told';
  }
}

function findAgent(agents: readonly DeskAgent[], name: string | undefined): DeskAgent | undefined {
  if (name === undefined) return agents[0];
  return agents.find((one) => one.name === name) ?? agents.find(({ source }) => source === name);
}

interface Answered {
  readonly note: ThreadNote | undefined;
  readonly question: Question | undefined;
  readonly user: string;
  readonly words: string;
}

/** Where it answers a question, that loses its buttons. */
async function settleAnswered(around: Surroundings, thread: Thread, answered: Answered): Promise<void> {
  const { note, question, user, words } = answered;
  if (!question || note?.askedTs === undefined) return;
  const label = await around.people.label(user);
  await settle(around, { thread, messageTs: note.askedTs, question, words: `${label}: ${words}` });
}

function unknownAgent(name: string | undefined): AgentError {
  return new AgentError(
    'agent-unknown',
    name === undefined ? 'No agent is served here.' : `${name} is not served here.`,
    {
      remedy: 'Whoever runs the server names another one in the routing of Slack, or serves it.',
    },
  );
}
