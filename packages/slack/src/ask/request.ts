// What the agent is asked: what was said, in words, with what was said before and the files that came with it.

import { AgentError, type FilePart, head, oneLine, type SaidBy } from '@ai-agent/core';
import type { DeskAgent } from '../desk.ts';
import type { Heard } from '../hear/heard.ts';
import type { Routed } from '../route/route.ts';
import { fillTemplate } from '../route/template.ts';
import type { Surroundings } from '../surroundings.ts';
import { contextMs, readContext } from './context.ts';
import { readFiles } from './files.ts';
import { mentionedInMessage, textOfMessage, withoutName } from './message-text.ts';

export interface Request {
  readonly text: string;
  /** What was said, without what is told beside it. */
  readonly words: string;
  /** What the session is called. */
  readonly title: string | undefined;
  readonly attachments: readonly FilePart[];
}

export interface RequestOptions {
  readonly agent: DeskAgent;
  readonly routed: Extract<Routed, { how: 'route' }>;
  /** The last message that this session knows; undefined for a new one. */
  readonly since: string | undefined;
  /** Whether it answers a question: then it stands for itself. */
  readonly isAnswer: boolean;
  /** Who asked before; undefined for a new one. */
  readonly askedBefore: string | undefined;
}

/** Throws `session-input-invalid` where nothing was said at all. */
export async function toRequest(around: Surroundings, heard: Heard, options: RequestOptions): Promise<Request> {
  const { agent, routed, isAnswer } = options;
  const text = await toWords(around, heard);
  const from = await toSource(around, heard, options);
  const taking = isAnswer ? answering : agent;
  const { attachments, notes } = await readFilesOf(around, heard, { ...taking, texts: agent.texts });
  if (isAnswer) return { text: [text, ...notes].join('\n\n'), words: text, title: undefined, attachments };
  const context = await inTime(around, readContextOf(around, heard, options));
  const words = from === undefined || text === '' ? text : agent.texts.saidBy({ ...from, text });
  const isEmpty = [context ?? '', words, ...notes].every((part) => part === '') && attachments.length === 0;
  if (isEmpty)
    throw new AgentError('session-input-invalid', 'There are no words in it.', {
      remedy: 'Say what you want to know.',
    });
  const asked = routed.template === undefined ? words : await fill(around, routed.template, { heard, text: words });
  const parts = [context, asked, ...notes].filter((part) => part !== undefined && part !== '');
  const title = head(oneLine(text), 199);
  return { text: parts.join('\n\n'), words: text, title: title === '' ? undefined : title, attachments };
}

/** Whose words they are, where a reader would take them for another's. */
async function toSource(
  { people }: Surroundings,
  { how, user, message }: Heard,
  { askedBefore }: RequestOptions,
): Promise<Omit<SaidBy, 'text'> | undefined> {
  const author = message?.user;
  if (how === 'shortcut' && author !== user) {
    const speaker = author === undefined ? 'a bot' : await people.label(author);
    return { speaker, handedOnBy: await people.label(user ?? '') };
  }
  if (askedBefore === undefined || user === undefined || user === askedBefore) return undefined;
  return { speaker: await people.label(user) };
}

/** Whom it was said to is no part of it. */
async function toWords({ people, identity }: Surroundings, { text, message }: Heard): Promise<string> {
  const said = withoutName({ ...message, text }, identity.botUser);
  const named = [...new Set(mentionedInMessage(said))].slice(0, mostNames);
  const labels = new Map<string, string>();
  for (const user of named) labels.set(user, await people.label(user));
  return textOfMessage(said, (user) => labels.get(user));
}

const mostNames = 100;

/** An answer is words: what it is to go along with is asked for in a message of its own. */
const answering = { takesFiles: [], refusal: 'cannot go along with an answer; it can with a further message' };

type Taking = Pick<DeskAgent, 'takesFiles' | 'texts'> & { readonly refusal?: string };

function readFilesOf({ settings }: Surroundings, { files }: Heard, { takesFiles, refusal, texts }: Taking) {
  const { botToken: token, apiUrl = 'https://slack.com/api/' } = settings;
  return readFiles(files, { takes: takesFiles, token, apiUrl, refusal, texts });
}

function readContextOf(around: Surroundings, heard: Heard, { agent, routed, since }: RequestOptions) {
  const { how, channel, threadTs, ts } = heard;
  const { api, settings, identity, people, log } = around;
  return readContext(api, {
    channel,
    threadTs,
    ts,
    // A post stands for itself.
    policy: routed.context ?? (how === 'post' ? 'none' : undefined),
    limit: settings.historyLimit ?? 100,
    chars: settings.historyCharsCap ?? 100_000,
    since,
    texts: agent.texts,
    bot: { user: identity.botUser, id: identity.botId },
    label: (user) => people.label(user),
    onProblem: (word) => log.detail(`What was said before could not be read: ${word}.`),
  });
}

/** However slowly Slack answers what was asked in time. */
async function inTime({ desk, log }: Surroundings, context: Promise<string | undefined>): Promise<string | undefined> {
  let unset = () => {};
  const late = new Promise<undefined>((resolve) => {
    unset = desk.clock.after(contextMs, () => {
      log.detail('What was said before is left out: Slack takes too long to tell it.');
      resolve(undefined);
    });
  });
  try {
    return await Promise.race([context, late]);
  } finally {
    unset();
  }
}

interface Filling {
  readonly heard: Heard;
  readonly text: string;
}

async function fill({ people, api }: Surroundings, template: string, { heard, text }: Filling): Promise<string> {
  const { channel, ts, user = '' } = heard;
  const isLinked = template.includes('{message.url}');
  const link = isLinked ? await api.attempt('chat.getPermalink', { channel, message_ts: ts }) : undefined;
  const name = template.includes('{channel.name}') ? await people.channelName(channel) : undefined;
  return fillTemplate(template, {
    'channel.name': name ?? channel,
    'channel.id': channel,
    'user.id': user,
    'user.label': user === '' ? 'a bot' : await people.label(user),
    ts,
    text,
    'message.url': typeof link?.permalink === 'string' ? link.permalink : '',
  });
}
