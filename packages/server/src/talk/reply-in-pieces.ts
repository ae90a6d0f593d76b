// A reply that is written while the run goes on. What was written cannot be taken back; the run ends with the connection.

import { toReply } from '../direct-reply.ts';
import { toSafeFailure } from '../failure-status.ts';
import type { Follower } from '../live-session.ts';
import { SseStream, sseHeaders } from '../sse.ts';
import { OneWayAnswer } from './one-way-answer.ts';
import type { Ended, Failed, Writer } from './said.ts';
import type { TalkReply } from './talk-reply.ts';
import { type Begun, TalkRun } from './talk-run.ts';

/** Proxies and clients give up on a connection where nothing comes. */
const stillAtWorkMs = 15_000;

/** What is wrong with the request is thrown: until then nothing was sent. */
export async function replyInPieces(reply: TalkReply): Promise<Response> {
  const { request, api } = reply;
  const gone = new AbortController();
  const leave = () => gone.abort();
  request.signal.addEventListener('abort', leave, { once: true });
  if (request.signal.aborted) leave();
  const stream = new SseStream({ onGone: leave });
  const late = new LateWriter();
  const written = new OneWayAnswer((piece) => late.write((writer) => writer.text(piece)));
  const run = new TalkRun(reply, { think: (piece) => late.write((writer) => writer.reasoning(piece)) });
  const onEvent: Follower = (event) => {
    run.hear(event);
    written.hear(event);
  };
  const quit = () => request.signal.removeEventListener('abort', leave);
  const begun = await run.begin({ signal: gone.signal, onEvent }).catch((error: unknown) => {
    quit();
    throw error;
  });
  const early = api.tellsFailuresInStream ? undefined : await failsEarly(reply, begun, late);
  if (early) {
    quit();
    return api.toError(early.failure, { sessionId: begun.sessionId, headers: begun.headers });
  }
  late.begin(api.toWriter(stream, begun));
  const quiet = stillAtWork(reply, late);
  void begun.ended
    .then((came) => tellEnd({ run, stream, late, written }, came))
    .catch((error: unknown) => tellBug(reply, late, begun, error))
    .catch(reply.hall.onBug)
    .finally(() => {
      quiet();
      quit();
      stream.end();
    });
  const headers = { ...begun.headers, ...sseHeaders, 'cache-control': 'no-store, no-transform' };
  return toReply(request, stream, { headers });
}

/** How long a stream waits with its beginning for something to write. */
const firstMs = 2_000;

/** A run that fails before it has said anything is told by a status, which clients heed better than the end of a stream. */
async function failsEarly({ hall }: TalkReply, { ended }: Begun, late: LateWriter): Promise<Failed | undefined> {
  const timer = Promise.withResolvers<undefined>();
  const unset = hall.clock.after(firstMs, () => timer.resolve(undefined));
  const came = await Promise.race([ended, late.first, timer.promise]);
  unset();
  return came?.status === 'failed' && late.isEmpty ? came : undefined;
}

interface Writing {
  readonly run: TalkRun;
  readonly stream: SseStream;
  readonly late: LateWriter;
  readonly written: OneWayAnswer;
}

/** Whoever has the end of it can go on: what that needs is kept by then. */
async function tellEnd({ run, stream, late, written }: Writing, came: Ended): Promise<void> {
  stream.tellLast();
  if (came.status === 'failed') {
    await late.last((writer) => writer.fail(came));
    return;
  }
  const failure = written.end(came);
  const { session_id: sessionId } = came.about;
  if (failure) {
    await late.last((writer) => writer.fail({ status: 'failed', failure, sessionId }));
    return;
  }
  // Where more was written than the last words, all of it is what was said.
  const said = { ...came, text: written.all };
  await run.remember(said);
  await late.last((writer) => writer.end(said));
}

/** Nobody foresaw it: whoever waits is told that it is over. */
async function tellBug({ hall }: TalkReply, late: LateWriter, { sessionId }: Begun, error: unknown): Promise<void> {
  hall.onBug(error);
  await late.last((writer) => writer.fail({ status: 'failed', failure: toSafeFailure(error), sessionId }));
}

/** Says so every while. Gives how to end that. */
function stillAtWork({ hall: { clock } }: TalkReply, late: LateWriter): () => void {
  const again = () => {
    late.write((writer) => writer.stillAtWork());
    unset = clock.after(stillAtWorkMs, again);
  };
  let unset = clock.after(stillAtWorkMs, again);
  return () => unset();
}

/** A run may speak before it is known which session it is: that waits. */
class LateWriter {
  #writer: Writer | undefined;
  #waiting: ((writer: Writer) => void)[] = [];
  readonly #first = Promise.withResolvers<undefined>();

  /** Settles when there is something to write. */
  get first(): Promise<undefined> {
    return this.#first.promise;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  begin(writer: Writer): void {
    this.#writer = writer;
    writer.begin();
    for (const write of this.#waiting.splice(0)) write(writer);
  }

  write(write: (writer: Writer) => void): void {
    if (this.#writer) write(this.#writer);
    else this.#waiting.push(write);
    this.#first.resolve(undefined);
  }

  /** What comes after all else; it has begun by then. */
  async last(write: (writer: Writer) => void | Promise<void>): Promise<void> {
    if (this.#writer) await write(this.#writer);
  }
}
