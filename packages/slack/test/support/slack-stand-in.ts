// A stand-in for Slack on this machine: the real app connects to it over real sockets, people talk to it, and every breach of Slack's rules is a fault.
import { setTimeout } from 'node:timers/promises';
import { type EventBody, toChangeEvents, toDeletionEvents, toEventBody, toEvents } from './events.ts';
import { Files, type NewFile } from './files.ts';
import { deliverByHttp, type HttpDelivery, verifyUrl } from './http-delivery.ts';
import { type Listening, listen } from './http-server.ts';
import {
  type Asked,
  type Filled,
  type Pressed,
  toClosing,
  toCommand,
  toMessageShortcut,
  toPress,
  toSubmission,
} from './interactions.ts';
import { Responses } from './responses.ts';
import { type Said, SlackPlace, type Where } from './slack-place.ts';
import { type Ack, type Envelope, SocketMode } from './socket-mode.ts';
import { toUserBlocks } from './user-blocks.ts';
import { type Thing, textOf, thingOf } from './values.ts';
import { type View, Views } from './views.ts';
import { type Call, WebApi } from './web-api.ts';
import type { Message } from './workspace.ts';

export interface SlackOptions {
  /** Whether `chat.startStream` and its kin are there. @default true */
  readonly streaming?: boolean;
}

export interface Commanded {
  readonly command: string;
  readonly text: string;
  readonly channel: string;
  readonly user: string;
  /** Whether it is delivered again. @default false */
  readonly isTwice?: boolean;
}

export interface PressOptions {
  /** @default that of the button */
  readonly value?: string;
  /** Which connection hears it. @default each in turn */
  readonly to?: number;
}

/** Where it stands, and what the app is told of it. */
export interface Heard {
  readonly ts: string;
  readonly events: EventBody[];
}

export async function startSlack(options: SlackOptions = {}): Promise<SlackStandIn> {
  const slack = new SlackStandIn(options);
  await slack.listen();
  return slack;
}

export class SlackStandIn extends SlackPlace {
  readonly botToken = 'xoxb-stand-in-bot-token';
  readonly appToken = 'xapp-stand-in-app-token';
  readonly signingSecret = 'stand-in-signing-secret';
  readonly #views = new Views(this.workspace);
  readonly #files = new Files(this.workspace, () => this.base);
  readonly #responses = new Responses(this.workspace);
  readonly #api: WebApi;
  readonly #sockets: SocketMode;
  #listening: Listening | undefined;
  #http: HttpDelivery | undefined;

  constructor({ streaming = true }: SlackOptions) {
    super();
    const { workspace, botToken, appToken } = this;
    const socketUrl = () => `${this.base.replace('http', 'ws')}/link/?ticket=${workspace.nextId('k')}`;
    this.#api = new WebApi({
      workspace,
      views: this.#views,
      files: this.#files,
      streaming,
      botToken,
      appToken,
      socketUrl,
    });
    this.#sockets = new SocketMode((sentence) => this.#api.faults.push(sentence));
    workspace.onMessage = (change, message, before = {}) => {
      if (message.user !== workspace.bot || message.ephemeralFor !== undefined) return;
      const toBodies = change === 'deleted' ? toDeletionEvents : toChangeEvents;
      const bodies = change === 'posted' ? toEvents(workspace, message) : toBodies(workspace, message, before);
      this.#tell(bodies);
    };
  }

  async listen(): Promise<void> {
    const { botToken } = this;
    this.#listening = await listen({
      api: this.#api,
      files: this.#files,
      responses: this.#responses,
      sockets: this.#sockets,
      botToken,
    });
  }

  get base(): string {
    return this.#listening?.base ?? '';
  }

  get apiUrl(): string {
    return `${this.base}/api/`;
  }

  /** How many are connected. */
  get sockets(): number {
    return this.#sockets.open.length;
  }

  get faults(): readonly string[] {
    return this.#api.faults;
  }

  get uploads(): Files['uploads'] {
    return this.#files.uploads;
  }

  get views(): readonly View[] {
    return this.#views.all;
  }

  takeFaults(): string[] {
    return this.#api.faults.splice(0);
  }

  allowMention(id: string): void {
    this.#api.allowed.add(id);
  }

  calls(method?: string): readonly Call[] {
    return this.#api.calls.filter((call) => method === undefined || call.method === method);
  }

  addFile(file: NewFile): Thing {
    return this.#files.add(file);
  }

  /** Somebody writes. Resolves when it is on its way; without a connection it waits for one. */
  async say({ threadTs, files = [], subtype, botId, silently = false, ...said }: Said): Promise<Heard> {
    this.workspace.channels.get(said.channel)?.members.add(said.user);
    const kind = subtype ?? (files.length > 0 ? 'file_share' : undefined);
    const message = this.workspace.post({
      ...said,
      files: [...files],
      blocks: botId === undefined ? toUserBlocks(said.text) : [],
      ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
      ...(botId === undefined ? {} : { bot_id: botId }),
      ...(kind === undefined ? {} : { subtype: kind }),
    });
    const events = toEvents(this.workspace, message);
    if (!silently) this.#tell(events);
    return { ts: message.ts, events };
  }

  async edit({ channel, ts, text, user }: Where & { text: string; user: string }): Promise<EventBody[]> {
    const message = this.message({ channel, ts });
    const before = this.workspace.toWire(message);
    message.text = text;
    message.edited = { user, ts: this.workspace.nextTs() };
    const events = toChangeEvents(this.workspace, message, before);
    this.#tell(events);
    return events;
  }

  async remove(where: Where): Promise<EventBody[]> {
    const message = this.message(where);
    const events = toDeletionEvents(this.workspace, message, this.workspace.toWire(message));
    this.workspace.remove(message);
    this.#tell(events);
    return events;
  }

  /** Any event, or one again: a redelivery has the same `event_id`. Resolves when it is acknowledged. */
  deliver(event: EventBody | Thing, { retry = 0, to }: { retry?: number; to?: number } = {}): Promise<Ack> {
    const body = 'event_id' in event ? event : toEventBody(this.workspace, event);
    return this.#send({ type: 'events_api', payload: body, retry, to });
  }

  async press(message: Where, pressed: Pressed, user: string, { value, to }: PressOptions = {}): Promise<Ack> {
    const found = this.workspace.ephemerals.find(({ ts }) => ts === message.ts) ?? this.message(message);
    const asked = this.#asked(user, found.channel, found);
    return this.#send({ type: 'interactive', payload: toPress(asked, found, pressed, value), to });
  }

  async shortcut(given: Where & { callbackId: string; user: string; isTwice?: boolean }): Promise<Ack> {
    const message = this.message(given);
    const asked = this.#asked(given.user, given.channel, message);
    const payload = toMessageShortcut(asked, given.callbackId, message);
    if (given.isTwice) await this.#send({ type: 'interactive', payload });
    return this.#send({ type: 'interactive', payload });
  }

  /** What it is acknowledged with is shown as Slack shows it. */
  async command(given: Commanded): Promise<Ack> {
    const asked = this.#asked(given.user, given.channel);
    const payload = toCommand(asked, given.command, given.text, given.channel);
    const ack = await this.#send({ type: 'slash_commands', payload });
    // Slack may think that it was lost.
    if (given.isTwice) await this.#send({ type: 'slash_commands', payload });
    if (ack.ackPayload === undefined) return ack;
    this.#api.check('respond', ack.ackPayload);
    this.#responses.respond(new URL(asked.responseUrl).pathname, ack.ackPayload);
    return ack;
  }

  /** Fills a form in and sends it off. It closes, unless the acknowledgement has it otherwise. */
  async submit(view: View, filled: Filled, user: string): Promise<Thing | undefined> {
    const payload = toSubmission(this.#asked(user), view, filled);
    const ack = (await this.#send({ type: 'interactive', payload })).ackPayload;
    const { response_action: action, view: next, errors } = thingOf(ack);
    if (next !== undefined) this.#api.check('view', thingOf(next));
    const ids = view.blocks.map(({ block_id }) => textOf(block_id));
    const strays = Object.keys(thingOf(errors)).filter((id) => !ids.includes(id));
    if (strays.length > 0)
      this.#api.faults.push(`view_submission: errors for blocks that are not there: ${strays.join(', ')}.`);
    if (action === 'update') this.#views.replace(view, thingOf(next));
    else if (action === 'push') this.#views.add(thingOf(next));
    else if (action !== 'errors') view.isOpen = false;
    return ack;
  }

  async closeView(view: View, user: string): Promise<Ack> {
    view.isOpen = false;
    return this.#send({ type: 'interactive', payload: toClosing(this.#asked(user), view) });
  }

  expireTriggers(): void {
    this.#views.expireTriggers();
  }

  /** Resolves when they are gone. `refresh` asks the client to come again, as Slack does every few hours. */
  dropSocket({ how }: { how: 'refresh' | 'abrupt' }): Promise<void> {
    return this.#sockets.drop(how);
  }

  limitRate(method: string, { times, retryAfterS }: { times: number; retryAfterS: number }): void {
    this.#api.plan(method, { limit: retryAfterS }, times);
  }

  /** Refuses with a word of Slack's, or fails with a status of HTTP. */
  failNext(method: string, word: string | number, times = 1): void {
    this.#api.plan(method, { fail: word }, times);
  }

  /** The next call of it is done only when it is released. */
  holdNext(method: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#api.plan(method, { held: promise });
    return resolve;
  }

  /** The next call of it is done, and who asked does not hear of it. */
  loseNext(method: string, how: 'cut' | 'silent' = 'cut'): void {
    this.#api.plan(method, { lost: how });
  }

  /** Whether the addresses of uploads fail from now on. */
  failUploads(areDown: boolean): void {
    this.#files.areDown = areDown;
  }

  /** From now on everything comes by signed requests to this address, which has to say a challenge back. */
  async useHttp(url: string): Promise<void> {
    this.#http = { url, signingSecret: this.signingSecret };
    await verifyUrl(this.#http);
  }

  async until(condition: () => boolean, what = 'what was waited for'): Promise<void> {
    const end = Date.now() + 10_000;
    while (!condition()) {
      if (Date.now() > end) throw new Error(`${what} did not come about. ${this.#tellCalls()}`);
      await setTimeout(10);
    }
  }

  /** Throws when there are faults that nobody took. */
  async close(): Promise<void> {
    this.workspace.onMessage = () => undefined;
    await this.#sockets.close();
    await this.#listening?.close();
    const faults = this.takeFaults();
    if (faults.length > 0)
      throw new Error(`Slack's rules were broken:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
  }

  #asked(user: string, channel = '', message?: Message): Asked {
    const responseUrl = `${this.base}${this.#responses.newPath({ channel, user, message })}`;
    return { workspace: this.workspace, user, trigger: this.#views.newTrigger(), responseUrl };
  }

  /** Whoever does not take an event is a fault already; nobody waits for it here. */
  #tell(bodies: readonly EventBody[]): void {
    for (const payload of bodies) this.#send({ type: 'events_api', payload }).catch(() => undefined);
  }

  #send(envelope: Envelope): Promise<Ack> {
    if (this.#http === undefined) return this.#sockets.send(envelope);
    return deliverByHttp(this.#http, envelope).catch((error: Error) => {
      if (error.name === 'TimeoutError') this.#api.faults.push(`${envelope.type} was not acknowledged within 3000 ms.`);
      throw error;
    });
  }

  #tellCalls(): string {
    const last = this.#api.calls.slice(-12).map(({ method, args, error }) => {
      const told = JSON.stringify(args).slice(0, 300);
      return `  ${method} ${told}${error === undefined ? '' : ` -> ${error}`}`;
    });
    return `The last calls:\n${last.join('\n')}\nFaults: ${this.faults.join(' ') || 'none'}`;
  }
}
