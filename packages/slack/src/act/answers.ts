// Answers to what a run has asked, given by a button, a list or a form: the run goes on with them in its thread.

import { isAgentError, isObject, type Json, type Question, readAnswer, type SessionHead } from '@ai-agent/core';
import { toPlain } from '../blocks/safe-text.ts';
import type { Reception } from '../hear/reception.ts';
import { ThreadRun } from '../run/thread-run.ts';
import type { Surroundings } from '../surroundings.ts';
import { type About, readAbout, readValue } from './buttons.ts';
import { type Form, readForm, toForm } from './form.ts';
import { hasLeave } from './leave.ts';
import { openView } from './open-view.ts';
import type { Pressed } from './pressed.ts';
import { choicesOf } from './question-blocks.ts';
import { disarm, settle } from './settle.ts';
import { type Presser, tell } from './tell.ts';
import { tellTrouble, troubleWords } from './trouble.ts';

/** What the form says when it is sent: nothing, or what is wrong by the id of its field. */
export type Refused = Readonly<Record<string, string>> | undefined;

export interface Submitted {
  readonly refused: Refused;
  goOn(): Promise<void>;
  /** Words for who sent it. */
  tellPresser(text: string): Promise<void>;
}

const gone = 'This was answered already, or is not kept any more.';
const notYours = 'Only the person who asked, or an admin, can answer.';

export class Answers {
  readonly #around: Surroundings;
  readonly #reception: Reception;

  constructor(around: Surroundings, reception: Reception) {
    this.#around = around;
    this.#reception = reception;
  }

  async approve(pressed: Pressed, isApproved: boolean): Promise<void> {
    await this.#answer(pressed, () => ({ answer: isApproved, words: isApproved ? 'Approved' : 'Declined' }));
  }

  /** Of buttons and lists: by its number, so that long ones are whole. */
  async choose(pressed: Pressed): Promise<void> {
    const number = Number(pressed.selected ?? readValue(pressed.value)?.choice);
    await this.#answer(pressed, (question) => {
      const chosen = choicesOf(question)[number];
      return chosen && { answer: chosen.answer, words: chosen.label };
    });
  }

  /** Ends it without an answer: the thread is free for something else. */
  async drop(pressed: Pressed): Promise<void> {
    const { desk, people } = this.#around;
    const found = await this.#find(pressed);
    if (!found) return;
    const { thread, messageTs, blocks, user } = pressed;
    await desk.end(found.about.session, 'cancel');
    const words = `${await people.label(user)}: Never mind`;
    await settle(this.#around, { thread, messageTs, blocks, question: found.question, words });
  }

  /** Opens a form for it. */
  async open(pressed: Pressed): Promise<void> {
    if (await this.#reception.isDenied(pressed)) return;
    const found = await this.#find(pressed);
    if (!found || pressed.triggerId === undefined) return;
    const { about, question } = found;
    const { thread, messageTs } = pressed;
    const view = toForm(question, { about, thread, messageTs });
    await openView(this.#around.api, pressed.triggerId, view);
  }

  /** Says what is wrong with it, or goes on; `goOn` is to be called when Slack has been told. */
  async submit(view: unknown, user: string): Promise<Submitted> {
    const form = readForm(view);
    const nothing: Submitted = { refused: undefined, goOn: async () => {}, tellPresser: async () => {} };
    if (!form) return nothing;
    const place = { ...form, user };
    const tellPresser = (text: string) => tell(this.#around.api, place, text);
    const refuse = (text: string) => ({ ...nothing, tellPresser, refused: { [form.firstField]: text } });
    let found: Found | undefined;
    try {
      found = await this.#open(form.about);
    } catch (error) {
      tellTrouble(this.#around.log, error);
      return refuse(troubleWords(error));
    }
    if (!found) return refuse(gone);
    if (!hasLeave(this.#around.settings, form.about.asker, user)) return refuse(notYours);
    const read = readFields(form, found.question);
    if ('refused' in read) return { ...nothing, tellPresser, refused: read.refused };
    return {
      refused: undefined,
      goOn: () => this.#goOn(place, found, { answer: read.answer, words: toWords(read.answer) }),
      tellPresser,
    };
  }

  async #answer(pressed: Pressed, toAnswer: (question: Question) => Given | undefined): Promise<void> {
    const found = await this.#find(pressed);
    const given = found && toAnswer(found.question);
    if (found && given) await this.#goOn(pressed, found, given);
  }

  /** What the button is about, when it is still open and this one may answer it; else they are told. */
  async #find(pressed: Pressed): Promise<Found | undefined> {
    const { settings, api } = this.#around;
    const about = readAbout(pressed.value) ?? readAbout(pressed.blockId);
    if (!about) return undefined;
    if (!hasLeave(settings, about.asker, pressed.user)) {
      await tell(api, pressed, notYours);
      return undefined;
    }
    const found = await this.#open(about);
    if (found) return found;
    await tell(api, pressed, gone);
    await disarm(this.#around, { thread: pressed.thread, messageTs: pressed.messageTs, about }, gone);
    return undefined;
  }

  async #open(about: About): Promise<Found | undefined> {
    const head = await this.#around.desk.find(about.session);
    if (!head?.question || head.resumptions !== about.round) return undefined;
    return { about, head, question: head.question };
  }

  async #goOn(place: Place, { about, head, question }: Found, { answer, words }: Given): Promise<void> {
    const { desk, people, threads, api } = this.#around;
    const { thread, messageTs, blocks, user } = place;
    await this.#reception.takePressed(place, async () => {
      // Another press may have been quicker.
      if (!(await this.#open(about))) return tell(api, place, gone);
      const note = await threads.get(thread);
      const label = await people.label(user);
      const run = new ThreadRun(this.#around, {
        thread,
        asker: about.asker,
        person: user,
        agent: head.agent,
        seenTs: note?.seenTs ?? messageTs,
        askedTs: note?.askedTs,
        pressed: { session: about.session, messageTs },
        ask: (hearing) => desk.begin({ ...hearing, session: about.session, answer, round: about.round }),
        onBegun: () => settle(this.#around, { thread, messageTs, blocks, question, words: `${label}: ${words}` }),
      });
      await run.run();
    });
  }
}

interface Given {
  readonly answer: Json;
  readonly words: string;
}

interface Found {
  readonly about: About;
  readonly head: SessionHead;
  readonly question: Question;
}

/** Where it was asked, and who answers. */
interface Place extends Presser {
  readonly blocks?: Pressed['blocks'] | undefined;
}

/** `day: Friday, people: 4` */
function toWords(answer: Json): string {
  if (!isObject(answer)) return inWords(answer);
  return Object.entries(answer)
    .map(([name, value]) => `${name}: ${inWords(value)}`)
    .join(', ');
}

function inWords(value: Json | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(inWords).join(', ') || 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function readFields(form: Form, question: Question): { readonly answer: Json } | { readonly refused: Refused } {
  const read = form.read(question);
  if ('refused' in read) return read;
  try {
    readAnswer(question, read.answer);
    return read;
  } catch (error) {
    if (!isAgentError(error)) throw error;
    // What is wrong is said by the field's name, after the question, which may be long and name others.
    const at = error.message.indexOf(misfit, question.text.length);
    const wrong = at === -1 ? error.message : error.message.slice(at + misfit.length);
    const field = form.names(question).find((name) => wrong.includes(`"${name}"`) || wrong.includes(`"${name}.`));
    return { refused: { [field ?? form.firstField]: toPlain(wrong, 300) } };
  }
}

/** Where the question ends in what is said of an answer to it. */
const misfit = ' does not fit: ';
