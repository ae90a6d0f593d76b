// The promise: whoever may call an agent reads the frontmatter of its file, nobody else does, and an agent without one says so.

import { expect, test } from 'vitest';
import { agentOf, as, governed } from './support/governed.ts';

const template = () => '---\ndescription: Ünder a desk\n---\n';
const agents = [
  { name: 'desk', agent: agentOf('desk'), template },
  { name: 'sub/desk', agent: agentOf('sub/desk'), template },
  { name: 'coded', agent: agentOf('coded') },
  { name: 'secret', agent: agentOf('secret'), template },
];
const keys = { some: { agents: ['desk', 'coded', 'sub/desk'] } };

const house = () => governed({ agents, keys });

test('it is YAML as the agent gives it', async () => {
  const { app } = house();
  for (const name of ['desk', 'sub%2Fdesk']) {
    const response = await app.request(`/v1/${name}/template`, as('some'));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/yaml; charset=utf-8']);
    expect(await response.text()).toBe(template());
  }
});

test.each([
  ['coded', 404, 'route-unknown', 'The agent coded has no template: it was made in a program, not by a file.'],
  ['secret', 403, 'agent-forbidden', 'This key may not call secret.'],
  ['nobody', 403, 'agent-forbidden', 'This key may not call nobody.'],
  ['chat', 404, 'route-unknown', 'There is nothing at /v1/chat/template.'],
])('%s: %i', async (name, status, code, message) => {
  const response = await house().app.request(`/v1/${name}/template`, as('some'));
  expect([response.status, await response.json()]).toMatchObject([status, { error: { code, message } }]);
});

test('nobody without a key, and no other method', async () => {
  const { app } = house();
  expect((await app.request('/v1/desk/template')).status).toBe(401);
  const response = await app.request('/v1/desk/template', { ...as('some'), method: 'POST' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});
