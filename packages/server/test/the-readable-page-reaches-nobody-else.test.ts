// The promise: the page runs its own script alone, asks this server alone, and nothing that agents say becomes part of it.

import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { appOf, served } from './support/documented.ts';

const hostile = `"><img src=x onerror=alert(1)></script><script>alert(2)</script>`;

async function page(names: readonly string[] = ['one']) {
  const app = appOf(names.map((name) => served(name, { description: name, usage: name })));
  const response = await app.request('/docs');
  return { response, html: await response.text() };
}

function contentOf(html: string, tag: string): string {
  const found = [...html.matchAll(new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))];
  expect(found).toHaveLength(1);
  return found[0]?.[1] ?? '';
}

test('the policy allows nothing but what the page itself holds', async () => {
  const { response, html } = await page();
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = (response.headers.get('content-security-policy') ?? '').split('; ');
  const hash = (tag: string) => `'sha256-${createHash('sha256').update(contentOf(html, tag)).digest('base64')}'`;
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      `script-src ${hash('script')}`,
      `style-src ${hash('style')}`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]),
  );
  expect(policy.join(' ')).not.toMatch(/unsafe|https?:|\*/);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(response.headers.get('set-cookie')).toBeNull();
});

test('it names no other server, has no handler in its markup, and makes no markup of data', async () => {
  const { html } = await page();
  const script = contentOf(html, 'script');
  const addresses = html.match(/(?:https?:)?\/\/[a-z0-9][^\s'"<)]*/gi) ?? [];
  // What an example of an address looks like, where a schema asks for one.
  expect(addresses.filter((one) => !one.startsWith('https://example.com/'))).toEqual([]);
  expect(html.replace(script, '')).not.toMatch(/\son\w+=|javascript:|style=|src=/i);
  expect(script).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|localStorage|sessionStorage|cookie/,
  );
  expect(() => new Script(script)).not.toThrow();
});

test('it is the same page whatever agents are called and say', async () => {
  const [plain, attacked] = [await page(), await page([hostile])];
  expect(attacked.html).toBe(plain.html);
  expect(attacked.html).not.toContain('onerror');
});

test('what agents say is data in the document too: no browser takes it for a page', async () => {
  const app = appOf([served(hostile, { description: hostile })]);
  const response = await app.request('/openapi.json');
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});

test('the front door is the page too', async () => {
  const [front, docs] = [await appOf([]).request('/'), await appOf([]).request('/docs')];
  expect(front.status).toBe(200);
  expect(Object.fromEntries(front.headers)).toEqual(Object.fromEntries(docs.headers));
  expect(await front.text()).toBe(await docs.text());
});
