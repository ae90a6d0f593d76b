// A page of somebody else with the widget in it: of another origin than the server, and as strict as a page may be.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Agent } from '@ai-agent/core';
import { hashOf } from '@ai-agent/server';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { type Visit, visit } from './browser.ts';
import { type PageServer, servePage } from './page-server.ts';
import { layWire, type Wire } from './wire.ts';

export const widgetKey = 'pk-a-key-that-everybody-may-read-0123456789';

export interface HostOptions {
  /** Of the element, beside `agent` and `key`. */
  readonly attributes?: string;
  readonly style?: string;
  /** Whether the key names the origin of the page. @default true */
  readonly isListed?: boolean;
  /** Runs that the key may start. @default 1,000 */
  readonly requestsPerMinute?: number;
  /** Attributes of the script. @default async */
  readonly script?: string;
  readonly context?: BrowserContextOptions;
}

export interface Hosted extends Visit {
  readonly server: PageServer;
  /** Between the page and the server. */
  readonly wire: Wire;
}

/** Opens a page with a widget for the first of the agents. */
export async function visitHost(
  browser: Browser,
  agents: readonly Agent[],
  options: HostOptions = {},
): Promise<Hosted> {
  const { attributes = '', style = '', isListed = true, script = 'async', context = {} } = options;
  const { requestsPerMinute = 1_000 } = options;
  let reply = { body: '', policy: '' };
  const origin = await listenOn(() => reply);
  const settings = { hash: hashOf(widgetKey), agents: ['*'], requestsPerMinute };
  const origins = [isListed ? origin : 'https://www.example.com'];
  const server = await servePage(agents, { keys: { site: { ...settings, origins } } });
  const wire = await layWire(server.port);
  const theirs = new URL(wire.url).origin;
  reply = {
    body: `<!doctype html><html lang="en"><head><title>A shop</title><meta name="viewport" content="width=device-width">
      <link rel="icon" href="data:,"><style nonce="page">body { font: 16px/1.5 Georgia, serif; margin: 1rem } ${style}</style>
      <script src="${theirs}/widget.js" ${script}></script></head><body><main><h1>A shop</h1>
      <ai-agent-chat agent="${agents[0]?.name}" key="${widgetKey}" ${attributes}></ai-agent-chat></main></body></html>`,
    policy: `default-src 'none'; script-src ${theirs}; connect-src ${theirs}; frame-src ${theirs}; img-src data:;
      style-src 'nonce-page'; require-trusted-types-for 'script'; trusted-types 'none'`.replace(/\s+/g, ' '),
  };
  const visited = await visit(browser, origin, context);
  // Before it is looked whether anything went wrong: this server it may ask.
  onTestFinished(() => forgive(visited.problems, `asks ${theirs}`));
  return { ...visited, server, wire };
}

/** Asks, and gives back when the reply is followed: hints are only for those who listen. */
export async function askWidget(page: Page, text: string): Promise<void> {
  await page.getByLabel('Ask a question').fill(text);
  const following = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/events'));
  await page.keyboard.press('Enter');
  await following;
}

export function forgive(problems: string[], part: string): void {
  problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes(part)));
}

async function listenOn(reply: () => { readonly body: string; readonly policy: string }): Promise<string> {
  const host = createServer((_, response) => {
    const { body, policy } = reply();
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
    response.end(body);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    host.closeAllConnections();
    host.close();
  });
  return `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
}
