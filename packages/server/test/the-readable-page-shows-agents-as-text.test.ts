// The promise: the page shows every agent, asks it, asks for a key where one is needed; and whatever agents say stays text.

import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { type DoorOptions, hashOf, Keys, type ServedAgent } from '../src/index.ts';
import { appOf, served } from './support/documented.ts';
import { openPage } from './support/little-browser.ts';

const hostile = `<img src=x onerror=alert(1)></script><script>alert(2)</script>{{x}}`;

function open(agents: readonly ServedAgent[], door?: DoorOptions) {
  const app = appOf(agents, door);
  return openPage(async (url, init) => app.request(url.href, init));
}

test('each agent with its words, its fields and its commands', async () => {
  const city = { type: 'string', description: 'Where it is.', minLength: 2 };
  const schema = { type: 'object', required: ['city'], properties: { city, near: { $ref: '#' } } };
  const page = open([
    served('weather', { description: 'Knows the sky.', usage: 'Will it rain?' }),
    served('finder', { input: { format: 'json', schema }, output: { format: 'json', schema: { enum: ['a'] } } }),
  ]);
  const main = page.byId('main');
  await page.until(() => main.children.length > 0);
  const articles = main.all.filter(({ tag }) => tag === 'article').map(({ textContent }) => textContent);
  expect(articles).toHaveLength(2);
  expect(articles[0]).toMatch(/weather.*Knows the sky\..*Will it rain\?/s);
  expect(articles[0]).toContain(`curl 'http://localhost/v1/weather'`);
  expect(articles[1]).toMatch(/city.*text, at least 2 letters.*required.*Where it is\./s);
  const headings = main.all.filter(({ tag }) => tag === 'h2').map(({ textContent }) => textContent);
  expect(headings).toEqual(['2 agents', 'How to ask', 'Sessions', 'Errors and limits', 'Server']);
  expect(main.textContent).toContain('Every agent here answers over plain HTTP.');
});

test('the commands ask for the form that was chosen, and the page says what may stand beside text', async () => {
  const page = open([served('weather', { usage: 'Will it rain?' })]);
  const main = page.byId('main');
  await page.until(() => main.children.length > 0);
  const [format] = main.all.filter(({ tag }) => tag === 'select');
  const schema = main.all.filter(({ tag }) => tag === 'textarea')[1];
  if (!format || !schema) throw new TypeError('The form has no such fields.');
  format.value = 'json';
  format.listeners.get('change')?.({});
  schema.value = '{"type":"object"}';
  schema.listeners.get('input')?.({});
  const [get = '', post = ''] = main.all
    .filter(({ attributes }) => attributes.class === 'example')
    .map(({ textContent }) => textContent);
  expect(get).toContain(`--data-urlencode 'format=json' \\\n  --data-urlencode 'schema={"type":"object"}'`);
  expect(post).toContain(`curl 'http://localhost/v1/weather?format=json&schema=%7B%22type%22%3A%22object%22%7D'`);
  expect(main.textContent).toContain('Text, or JSON with text, and beside it format, schema and budget');
  expect(main.textContent).toContain('"budget": {');
});

test.each(['http://localhost/agents', 'http://localhost/agents/', 'http://localhost/agents/docs?a#b'])(
  '%s is below a path of somebody else, and asks there',
  async (href) => {
    const app = appOf([served('weather')]);
    const asked: string[] = [];
    const page = openPage(async (url, init) => {
      asked.push(url.href);
      return app.request(url.href.replace('/agents', ''), init);
    }, href);
    const main = page.byId('main');
    await page.until(() => main.children.length > 0);
    expect(asked).toEqual(['http://localhost/agents/openapi.json']);
    expect(main.textContent).toContain(`curl 'http://localhost/agents/v1/weather'`);
  },
);

test('whatever an agent says of itself becomes text, and no element', async () => {
  const schema = {
    type: 'object',
    description: hostile,
    properties: { [hostile]: { enum: [hostile], description: hostile } },
  };
  const contract = { format: 'json', schema } as const;
  const page = open([served(hostile, { description: hostile, usage: hostile, input: contract, output: contract })]);
  const main = page.byId('main');
  await page.until(() => main.children.length > 0);
  expect(main.textContent).toContain(hostile);
  const all = [...main.all, ...page.byId('nav').all];
  expect(all.filter(({ tag }) => ['script', 'img', 'iframe', 'style', 'object', 'svg'].includes(tag))).toEqual([]);
  const names = new Set(all.flatMap(({ attributes }) => Object.keys(attributes)));
  expect([...names].filter((name) => /^on|^src|^style$|^action$/.test(name))).toEqual([]);
  const links = all.flatMap(({ attributes }) => attributes.href ?? []);
  expect(links.filter((link) => !/^#\w+$/.test(link))).toEqual([]);
});

test('the form asks, and shows the answer as it is', async () => {
  const model = scriptedModel([`Sunny, and ${hostile}`]);
  const page = open([served('weather', { usage: 'Will it rain?', model })]);
  const main = page.byId('main');
  await page.until(() => main.children.length > 0);
  main.all.find(({ tag }) => tag === 'form')?.submit();
  const answer = main.all.find(({ attributes }) => attributes['aria-label'] === 'The answer');
  const state = main.all.find(({ attributes }) => attributes.role === 'status');
  await page.until(() => state?.textContent.startsWith('completed') === true);
  expect(answer?.children).toEqual([`Sunny, and ${hostile}`]);
  expect(JSON.stringify(model.requests[0]?.messages)).toContain('Will it rain?');
});

test('where there are keys, one is asked for, and sent with everything', async () => {
  const keys = new Keys({ me: { hash: hashOf('sesame') } }, fakePorts().clock);
  const page = open([served('weather', { usage: 'Will it rain?' })], { keys });
  const [main, form, state] = [page.byId('main'), page.byId('key'), page.byId('state')];
  form.hidden = true;
  await page.until(() => !form.hidden);
  expect([state.textContent, main.children.length]).toEqual(['This server asks for a key.', 0]);
  page.byId('key-value').value = 'wrong';
  form.submit();
  await page.until(() => state.textContent === 'This key was refused.');
  page.byId('key-value').value = 'sesame';
  form.submit();
  await page.until(() => main.children.length > 0);
  expect(page.byId('key-value').value).toBe('');
  expect(main.textContent).toContain('-H "Authorization: Bearer $AI_AGENT_KEY"');
  expect(main.textContent).not.toContain('sesame');
  main.all.find(({ tag }) => tag === 'form')?.submit();
  const told = main.all.find(({ attributes }) => attributes.role === 'status');
  await page.until(() => told?.textContent.startsWith('completed') === true);
});
