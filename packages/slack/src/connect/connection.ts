// The Bolt app and its clients: who we are in Slack, one way out, and one of two ways in.

import { AgentError } from '@ai-agent/core';
import { App, SocketModeReceiver, webApi } from '@slack/bolt';
import type { Desk } from '../desk.ts';
import type { SlackLog } from '../log.ts';
import type { SlackSettings } from '../settings.ts';
import { toBoltLog } from './bolt-log.ts';
import { HttpEvents } from './http-events.ts';
import { acknowledgingLate } from './late-ack.ts';
import { SlackRefusal } from './slack-api.ts';
import { connectWithinMs, Socket } from './socket.ts';
import { secretHolder, secretStriker } from './strike-secrets.ts';
import { WebApi } from './web-api.ts';

export interface Connection {
  readonly app: App;
  readonly api: WebApi;
  readonly identity: Identity;
  /** Where events come over HTTP. */
  readonly handle?: HttpEvents['handle'];
  /** Settles when Slack takes us back no more; never otherwise. */
  readonly lost: Promise<void>;
  /** Events come from now on. Throws `slack-refused`. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** Who we are there. */
export interface Identity {
  readonly team: string;
  readonly teamName: string;
  readonly botUser: string;
  readonly botId: string;
  readonly name: string;
}

export interface ConnectionOptions {
  readonly settings: SlackSettings;
  readonly clock: Desk['clock'];
  readonly log: SlackLog;
}

/** Throws `slack-refused` where Slack does not know the bot token, and `config-invalid` where there is no way in. */
export async function connect({ settings, clock, log }: ConnectionOptions): Promise<Connection> {
  const { botToken, appToken, signingSecret } = settings;
  const logger = toBoltLog(log);
  const options = () => ({ ...toClientOptions(settings), logger });
  const client = new webApi.WebClient(botToken, { ...options(), rejectRateLimitedCalls: true });
  const secrets = [botToken, appToken, signingSecret];
  const strike = secretStriker(secrets);
  const safeLength = secretHolder(secrets);
  const api = new WebApi({ client, clock, strike, safeLength, onCall: (sentence) => log.detail(sentence) });
  const identity = await identify(api, settings);
  api.knowSelf(identity.botId);
  const authorize = async () => ({
    botToken,
    botId: identity.botId,
    botUserId: identity.botUser,
    teamId: identity.team,
  });
  const base = { authorize, logger, convoStore: false as const, clientOptions: options() };
  if (appToken !== undefined) {
    const receiver = new SocketModeReceiver({
      appToken,
      logger,
      autoReconnectEnabled: false,
      // Bolt hands the address on to the client of the socket by these. What it is told to wait for, or hangs, must not open a socket when nobody expects it any more.
      installerOptions: { clientOptions: { ...options(), rejectRateLimitedCalls: true, timeout: connectWithinMs } },
    });
    const socket = new Socket({ client: receiver.client, clock, log });
    const app = new App({ ...base, receiver });
    receiver.init(acknowledgingLate(app));
    const { lost } = socket;
    return { app, api, identity, lost, open: () => socket.open(), close: () => close(api, () => socket.close()) };
  }
  if (signingSecret === undefined)
    throw new AgentError('config-invalid', 'Slack has no way in: neither appToken nor signingSecret is set.');
  const refused = 'A request to /slack/events was refused: it is not signed with the signing secret, or is too old.';
  let isTold = false;
  const events = new HttpEvents(signingSecret, () => {
    // Anybody may send one: the first is worth a line, the others to who wants to know.
    if (isTold) log.detail(refused);
    else log.fail(refused);
    isTold = true;
  });
  const app = new App({ ...base, receiver: events });
  events.init(acknowledgingLate(app));
  const { handle } = events;
  const lost = new Promise<never>(() => {});
  return { app, api, identity, handle, lost, open: async () => {}, close: () => close(api, async () => {}) };
}

async function close(api: WebApi, hangUp: () => Promise<void>): Promise<void> {
  api.close();
  await hangUp();
}

/** A new one for each: clients write into what they are given. */
function toClientOptions({ apiUrl }: SlackSettings): webApi.WebClientOptions {
  return { ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }), retryConfig: { retries: 0 }, timeout: 30_000 };
}

async function identify(api: WebApi, { apiUrl }: SlackSettings): Promise<Identity> {
  try {
    const { team_id = '', team, user_id = '', bot_id = '', user } = await api.soon('auth.test', {});
    return {
      team: String(team_id),
      teamName: String(team ?? (team_id || 'Slack')),
      botUser: String(user_id),
      botId: String(bot_id),
      name: String(user ?? user_id),
    };
  } catch (error) {
    if (!(error instanceof SlackRefusal)) throw error;
    const { word } = error;
    if (word === 'unreachable')
      throw new AgentError('slack-refused', `Slack does not answer at ${apiUrl ?? 'https://slack.com/api/'}.`, {
        remedy: 'Try again in a while; check the network, or SLACK_API_URL where that is set.',
        cause: error.cause,
      });
    throw new AgentError('slack-refused', `Slack does not take the bot token: ${word}.`, {
      remedy: 'Check botToken: it begins with xoxb- and is under OAuth & Permissions of the app, once it is installed.',
      cause: error.cause,
    });
  }
}
