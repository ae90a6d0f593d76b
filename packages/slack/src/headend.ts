// Agents in Slack: opens the connection, and hands what comes to who answers it.

import { AgentError } from '@ai-agent/core';
import { Answers } from './act/answers.ts';
import { Controls } from './act/controls.ts';
import { People } from './ask/people.ts';
import { connect } from './connect/connection.ts';
import type { Desk } from './desk.ts';
import { listen } from './hear/listeners.ts';
import { Reception } from './hear/reception.ts';
import { Seen } from './hear/seen.ts';
import { Uptake } from './hear/uptake.ts';
import type { SlackLog } from './log.ts';
import { Lanes } from './run/lanes.ts';
import { LiveRuns } from './run/live-runs.ts';
import { watchLeft } from './run/pick-up.ts';
import { RunNotes } from './run/run-notes.ts';
import { ThreadHolds } from './run/thread-holds.ts';
import { Threads } from './run/threads.ts';
import { Unbegun } from './run/unbegun.ts';
import type { SlackSettings } from './settings.ts';
import type { Surroundings } from './surroundings.ts';

export interface SlackOptions {
  readonly settings: SlackSettings;
  readonly desk: Desk;
  readonly log: SlackLog;
}

export interface Slack {
  /** Who we are there, in words: `@desk in Example Inc.` */
  readonly identity: string;
  /** Who answers where nobody is named; undefined when nobody is served. */
  readonly primary: string | undefined;
  /** Answers what Slack sends over HTTP. @default events come over a socket */
  readonly handle?: ((request: Request) => Promise<Response>) | undefined;
  /** Settles when Slack takes us back no more, whatever is tried; never otherwise. */
  readonly lost: Promise<void>;
  /** Runs that are shown in a thread at this moment. */
  readonly running: number;
  /** When no run is left: writes what is still to be written, and hangs up. What Slack does not take in time is told by who comes after us. @default 7 s */
  close(patienceMs?: number): Promise<void>;
}

/** Those that wait in a thread beside the one that is at work. */
const mostWaiting = 5;

/** A server that stops gives us ten seconds: what Slack has not taken by then is for the next one. */
const usualPatienceMs = 7_000;
const arrivingMs = 2_000;

/** Throws `slack-refused` where Slack does not take the tokens, and `config-invalid`. */
export async function openSlack({ settings, desk, log }: SlackOptions): Promise<Slack> {
  const connection = await connect({ settings, clock: desk.clock, log });
  const { app, api, identity, handle, lost } = connection;
  const runs = new LiveRuns();
  const people = new People(api, desk.clock);
  const threads = new Threads(desk, identity.botUser);
  const lanes = new Lanes(mostWaiting);
  const goes = new AbortController();
  const holds = new ThreadHolds({ desk, bot: identity.botUser, closing: goes.signal });
  const runNotes = new RunNotes(desk, identity.botUser);
  const unbegun = new Unbegun(desk, identity.botUser);
  const kept = { threads, runNotes, unbegun, runs, lanes, holds };
  const around: Surroundings = { settings, desk, log, api, identity, people, ...kept };
  const uptake = new Uptake(around, new Seen(desk, identity.botUser, holds.owner));
  const reception = new Reception(around, uptake);
  listen(app, {
    around,
    reception,
    controls: new Controls(around, reception),
    answers: new Answers(around, reception),
  });
  await connection.open();
  const unwatch = watchLeft(around, (name) => void uptake.takeUp(name));
  return {
    identity: `@${identity.name} in ${identity.teamName}`,
    get primary() {
      return settings.routing?.default?.agent ?? desk.agents()[0]?.name;
    },
    handle,
    lost,
    get running() {
      return runs.size;
    },
    async close(patienceMs = usualPatienceMs) {
      goes.abort(new AgentError('server-stopping', 'The server is stopping and takes no new runs.'));
      unwatch();
      // What is on its way may still arrive: then whoever comes after us need not say it again.
      const giveUp = () => {
        api.close();
        unset = desk.clock.after(arrivingMs, () => void leave().catch((error: unknown) => log.bug(error)));
      };
      const leave = async () => {
        await runs.leaveAll();
        await holds.letGoAll();
      };
      let unset = desk.clock.after(patienceMs, giveUp);
      await lanes.whenEmpty();
      unset();
      await connection.close();
    },
  };
}
