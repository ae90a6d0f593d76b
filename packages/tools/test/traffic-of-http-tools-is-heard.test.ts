// Whoever listens hears each request and its answer, without what is secret.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import { expect, test } from 'vitest';
import type { Traffic } from '../src/surroundings.ts';
import { call, openTool, serve, testSurroundings } from './support/http-tools.ts';

test('a request and its answer', async () => {
  const { url } = await serve((_, response) => response.writeHead(404).end());
  const heard: Traffic[] = [];
  const surroundings = { ...testSurroundings(), onTraffic: (one: Traffic) => void heard.push(one) };
  const tool = await openTool(
    { url: `${url}/\${A_TOKEN}/x?q=\${parameters.q}` },
    { name: 'it', env: { A_TOKEN: 'hidden-token' }, surroundings },
  );
  await call(tool, { q: 'asked' });
  expect(heard).toEqual([
    { server: 'restTools.it', direction: 'sent', text: `GET ${url}/***/x` },
    { server: 'restTools.it', direction: 'received', text: `HTTP 404 to GET ${url}/***/x` },
  ]);
});
