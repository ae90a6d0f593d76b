// Agents in Slack, whole: the real headend over the real house, connected to the stand-in. The agents are code, so that a test says when they do what.

import type { Agent, Clock, SessionStore } from '@ai-agent/core';
import { Hall, type HallOptions, openDesk, type ServedAgent } from '@ai-agent/server';
import { onTestFinished } from 'vitest';
import { defaultPorts } from '../../../cli/src/platform.ts';
import { openSlack, type Slack, type SlackSettings } from '../../src/index.ts';
import { type SlackStandIn, startSlack } from './slack-stand-in.ts';

export interface SlackHouse {
  readonly slack: SlackStandIn;
  readonly hall: Hall;
  readonly headend: Slack;
  /** Lines that whoever runs it was told. */
  readonly told: readonly string[];
  /** Ends the house and leaves Slack alone: another may be opened. */
  stop(patienceMs?: number): Promise<void>;
}

export interface SlackHouseOptions {
  readonly settings?: Partial<SlackSettings>;
  readonly perUser?: Parameters<typeof openDesk>[1]['perUser'];
  readonly store?: SessionStore;
  /** Runs at once, by headend. */
  readonly places?: HallOptions['places'];
  /** @default that of this machine */
  readonly clock?: Clock;
  /** @default a new one */
  readonly slack?: SlackStandIn;
  /** Whether Slack has streaming calls. @default true */
  readonly streaming?: boolean;
}

export async function openSlackHouse(
  agents: readonly (Agent | ServedAgent)[],
  { settings = {}, perUser, store, places, clock, slack: given, streaming = true }: SlackHouseOptions = {},
): Promise<SlackHouse> {
  const slack = given ?? (await startSlack({ streaming }));
  const served = agents.map((one) => ('agent' in one ? one : { name: one.name, agent: one }));
  const hall = new Hall({
    agents: () => served,
    ports: { ...defaultPorts(), ...(clock ? { clock } : {}) },
    ...(store ? { store } : {}),
    ...(places ? { places } : {}),
  });
  const told: string[] = [];
  const tell = (sentence: string) => void told.push(sentence);
  const log = { say: tell, fail: tell, detail: () => {}, bug: (error: unknown) => tell(`bug: ${String(error)}`) };
  const { botToken, appToken, apiUrl } = slack;
  const headend = await openSlack({
    settings: { botToken, appToken, apiUrl, updateIntervalMs: 1_000, historyLimit: 0, ...settings },
    desk: openDesk(hall, { headend: 'slack', key: null, perUser }),
    log,
  });
  let isStopped = false;
  const stop = async (patienceMs?: number) => {
    if (isStopped) return;
    isStopped = true;
    hall.cancelAll();
    await hall.stop(0);
    await headend.close(patienceMs);
  };
  onTestFinished(async () => {
    await stop();
    if (!given) await slack.close();
  });
  return { slack, hall, headend, told, stop };
}
