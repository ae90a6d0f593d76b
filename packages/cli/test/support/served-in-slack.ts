// The real command in a folder of its own, connected to the stand-in of Slack: started, killed and started again by a test.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type SlackStandIn, startSlack } from '../../../slack/test/support/slack-stand-in.ts';
import { listening } from './served.ts';
import { type Serving, serving } from './serving.ts';

export interface ServedInSlack {
  readonly slack: SlackStandIn;
  /** `words` come behind `serve`. @default sleuth.ai --slack */
  start(...words: readonly string[]): Promise<Serving>;
}

export interface InSlack {
  /** What the model says. */
  readonly answer: (response: ServerResponse) => void;
  /** Beside `sleuth.ai`, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** The section `slack`. */
  readonly section?: object;
}

export async function serveInSlack({ answer, files = {}, section }: InSlack): Promise<ServedInSlack> {
  const folder = await mkdtemp(join(tmpdir(), 'served-in-slack-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'home'));
  const { url } = await listening((_, response) => answer(response));
  const local = { type: 'openai-compatible', baseUrl: `${url}/v1`, apiKey: 'sk-test' };
  const config = { providers: { local }, ...(section ? { slack: section } : {}) };
  const sleuth = '---\ndescription: finds out\nmodels: local/m\n---\nFind out.\n';
  const all = { '.ai-agent.json': JSON.stringify(config), 'sleuth.ai': sleuth, ...files };
  for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text);
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  const { botToken, appToken, apiUrl } = slack;
  const env = { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: apiUrl };
  return {
    slack,
    start: (...words) =>
      serving(['serve', ...(words.length > 0 ? words : ['sleuth.ai', '--slack'])], { cwd: folder, env }),
  };
}
