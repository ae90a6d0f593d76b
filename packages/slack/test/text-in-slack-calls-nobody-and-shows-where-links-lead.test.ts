// The promise: no text of a model or a person mentions, broadcasts, hides anything, or passes a link for another.
import { describe, expect, it } from 'vitest';
import { toDraftBlocks } from '../src/blocks/draft.ts';
import { escapeMrkdwn, toPlain, toStreamText } from '../src/blocks/safe-text.ts';
import { toMessages } from '../src/blocks/to-messages.ts';
import { wordsOf } from './hold-to-limits.ts';

const shown = (markdown: string) => wordsOf(toMessages(markdown).messages.map(({ blocks }) => blocks));
const urls = (markdown: string) =>
  [...JSON.stringify(toMessages(markdown).messages).matchAll(/"url":"([^"]*)"/g)].map(([, url]) => url);

const links = (markdown: string) =>
  JSON.stringify(toMessages(markdown).messages).matchAll(/"type":"link","url":"([^"]*)","text":"([^"]*)"/g);
const bare = (url: string) => {
  const { protocol, host } = new URL(url);
  return protocol === 'mailto:' ? url : `https://${host}`;
};

const calls =
  '<!channel> <!here|here> <@U123> <!subteam^S1> <#C1> <https://evil.example|bank> @channel @Here @everyone @group &lt;!channel&gt;';

describe('mentions', () => {
  it('are words in blocks: no element, and no mrkdwn', () => {
    for (const blocks of [toMessages(calls).messages.flatMap((message) => message.blocks), toDraftBlocks(calls)]) {
      const types = [...JSON.stringify(blocks).matchAll(/"type":"(\w+)"/g)].map(([, type]) => type);
      expect(new Set(types)).toEqual(new Set(['rich_text', 'rich_text_section', 'text']));
      expect(wordsOf(blocks)).toContain('<!channel> <!here|here> <@U123>');
    }
  });

  it('are broken in the text beside them, and in mrkdwn', () => {
    for (const text of [toMessages(calls).messages[0]?.text ?? '', escapeMrkdwn(calls)]) {
      expect(text).not.toMatch(/[<>]|@(?:channel|here|everyone|group)/i);
      expect(text).toContain('&lt;!channel&gt; &lt;!here|here&gt; &lt;@U123&gt;');
      expect(text).toContain('@\u2060channel @\u2060Here');
    }
  });

  it('are broken in a stream, wherever its pieces end', () => {
    const text = `${calls} [https://bank.example](https://evil.example) ![x](https://evil.example/x.png)`;
    const whole = toStreamText(text);
    expect(whole).not.toMatch(/<[!@#a-z/]|@[a-z]|\]\(|&[a-z#]/i);
    expect([...text].map(toStreamText).join('')).toBe(whole);
    expect(toStreamText('😀 \ud83d').isWellFormed()).toBe(true);
    expect(toStreamText('😀')).toBe('😀');
  });
});

describe('a link', () => {
  it.each([
    ['[https://bank.example](https://evil.example)', 'https://bank.example (evil.example)'],
    ['[bank.example/login](https://evil.example)', 'bank.example/login (evil.example)'],
    ['[go to bank.example now](https://evil.example)', 'go to bank.example now (evil.example)'],
    ['[bank.example](https://bank.example.evil.example/x)', 'bank.example (bank.example.evil.example)'],
    ['[**bank**.example](https://evil.example)', 'bank.example (evil.example)'],
    ['[`bank.example`](https://evil.example)', 'bank.example (evil.example)'],
    ['[bank。example](https://evil.example)', 'bank。example (evil.example)'],
    ['[bank.example∕login](https://evil.example)', 'bank.example∕login (evil.example)'],
    ['[bank.example⁄x.evil.example](https://evil.example)', 'bank.example⁄x.evil.example (evil.example)'],
    ['[bank\u200a.example](https://evil.example)', 'bank\u200a.example (evil.example)'],
    ['[bank.\u2009example](https://evil.example)', 'bank.\u2009example (evil.example)'],
    ['[bank\u202f.\u205fexample](https://evil.example)', 'bank\u202f.\u205fexample (evil.example)'],
    ...['\ua60e', '\u0660', '\u06f0', '\u2219', '\u{10a50}', '\u{1d16d}'].map((dot) => [
      `[bank${dot}example](https://evil.example)`,
      `bank${dot}example (evil.example)`,
    ]),
    ['[ba\u200bnk.example](https://evil.example)', 'bank.example (evil.example)'],
    ['[log\u202ein](https://evil.example)', 'login (evil.example)'],
    ['[log&#x202e;in](https://evil.example)', 'login (evil.example)'],
    ['[bank\u200d.example](https://bank.example)', 'bank\u200d.example (bank.example)'],
    ['[bаnk.example](https://bаnk.example)', 'bаnk.example (xn--bnk-6cd.example)'],
    ['[my bank](https://bаnk.example)', 'my bank (xn--bnk-6cd.example)'],
    ['[the bank](https://bank.example@evil.example/)', 'the bank (evil.example)'],
    ['https://bank.example@evil.example/', 'https://bank.example@evil.example/ (evil.example)'],
    ['[bank.example!](https://evil.example)', 'bank.example! (evil.example)'],
    ['[«bank.example»](https://evil.example)', '«bank.example» (evil.example)'],
    ['[localhost:3000](https://evil.example)', 'localhost:3000 (evil.example)'],
    ['<https://bank.example@evil.example/>', 'https://bank.example@evil.example/ (evil.example)'],
    ['[https://bank.example@evil.example](https://evil.example)', 'https://bank.example@evil.example (evil.example)'],
    ['[help@bank.example](mailto:me@evil.example)', 'help@bank.example (me@evil.example)'],
    ['[192.168.0.1](https://evil.example)', '192.168.0.1 (evil.example)'],
    ['[https://bank.example:8443](https://bank.example)', 'https://bank.example:8443 (bank.example)'],
    ['![bank.example](https://evil.example/x.png)', 'bank.example (evil.example)'],
    ['[https:\\\\bank.example](https://evil.example)', 'https:\\bank.example (evil.example)'],
    ['| [bank.example](https://evil.example) |\n| - |', 'bank.example (evil.example)'],
  ])('says where it leads: %s', (markdown, expected) => {
    expect(shown(markdown)).toBe(expected);
    // What is clicked is the address that it leads to.
    for (const [, url = '', text] of links(markdown))
      expect([`https://${text}`, `mailto:${text}`]).toContain(bare(url));
  });

  it.each([
    '[the docs](https://e.example/docs)',
    '[e.example](https://e.example/docs)',
    '[E.example/docs](https://www.e.example/docs)',
    '[https://e.example/a.b/c](https://e.example/a.b/c)',
    '[Version 1.2.3, e.g. this one](https://e.example)',
    '[https://web.example/https://e.example](https://web.example/https://e.example)',
    '[me@e.example](mailto:me@e.example)',
    '[see e.example.](https://e.example)',
    '[١٠كم و ۲۰م](https://e.example)',
    '[👩 and so on...and more](https://e.example)',
  ])('needs no such word when it says it itself: %s', (markdown) => {
    expect(shown(markdown)).not.toContain(' (');
    expect(urls(markdown)).toHaveLength(1);
  });

  it.each([
    ['[a](javascript:alert(1))', 'a (javascript:alert(1))'],
    ['[a](data:text/html,b)', 'a (data:text/html,b)'],
    ['[a](slack://open)', 'a (slack://open)'],
    ['[a](docs/page.md)', 'a (docs/page.md)'],
    ['[a](//evil.example)', 'a (//evil.example)'],
    ['[a](https://)', 'a (https://)'],
  ])('is words when it is none of http, https and mailto: %s', (markdown, expected) => {
    expect(urls(markdown)).toEqual([]);
    expect(shown(markdown)).toBe(expected);
  });

  it('is words when its address is too long', () => {
    expect(urls(`[a](https://e.example/${'x'.repeat(3_000)})`)).toEqual([]);
  });
});

describe('a link and what adjoins it', () => {
  const evil = '(https://evil.example)';

  it.each([
    [`[google]${evil}[.com]${evil}`, 'google (evil.example).com (evil.example)'],
    [`[bank.c]${evil}[om]${evil}`, 'bank.c (evil.example)om (evil.example)'],
    [`[google]${evil}.com`, 'google (evil.example).com'],
    [`[google ]${evil}.com`, 'google (evil.example).com'],
    [`google.[com]${evil}`, 'google.com (evil.example)'],
    [`google[.]${evil}com`, 'google. (evil.example)com'],
    [`https://[google]${evil}`, 'https://google (evil.example)'],
    [`at:https://[google]${evil}`, 'at:https://google (evil.example)'],
    [`bank.example/[login]${evil}`, 'bank.example/login (evil.example)'],
    [`login/[google]${evil}.com`, 'login/google (evil.example).com'],
    [`[localhost]${evil}:3000`, 'localhost (evil.example):3000'],
    [`[google]${evil}**.com**`, 'google (evil.example).com'],
    [`**goo**[gle]${evil}*.c*om`, 'google (evil.example).com'],
    [`[google]${evil}\`.com\``, 'google (evil.example).com'],
    [`[go to google]${evil}.com now`, 'go to google (evil.example).com now'],
    [`[google]${evil}\u200b.com`, 'google (evil.example).com'],
    [`[google]${evil}\u200d.com`, 'google (evil.example)\u200d.com'],
    [`[google]${evil}&period;com`, 'google (evil.example).com'],
    [`[google]${evil}。com`, 'google (evil.example)。com'],
    [`[google]${evil}\u200a.com`, 'google (evil.example)\u200a.com'],
    [`[google]${evil}\u2219com`, 'google (evil.example)\u2219com'],
    [`[google]${evil}．com`, 'google (evil.example)．com'],
    ['google.[](https://com.example)', 'google.com.example (com.example)'],
    ['<https://good.example>**.evil.example**', 'https://good.example (good.example).evil.example'],
    [`![google]${evil}.com`, 'google (evil.example).com'],
    [`[![google](https://e.example/x.png)]${evil}.com`, 'google (evil.example).com'],
    [`# [google]${evil}.com`, 'google (evil.example).com'],
    [`- [google]${evil}.com`, 'google (evil.example).com'],
    [`> [google]${evil}.com`, 'google (evil.example).com'],
    [`| [google]${evil}.com |\n| - |`, 'google (evil.example).com'],
  ])('say together where it leads: %s', (markdown, expected) => {
    expect(shown(markdown)).toBe(expected);
  });

  it.each([
    '[docs](https://x.example).',
    '[docs](https://x.example)...',
    '([docs](https://x.example))',
    '“[docs](https://x.example).” Then',
    'see [the docs](https://x.example), please',
    '[a](https://x.example)/[b](https://y.example)',
    '[docs](https://x.example)/[blog](https://y.example), [more](https://z.example); e.g. this',
    '[docs](https://x.example).[1](https://y.example)',
    'v1.[2](https://x.example)',
    'bank.example [docs](https://x.example) bank.example',
    '[x.example](https://x.example)/docs, [x.example](https://x.example)’s',
    '[x](https://x.example).example',
    'mail.[x](https://mail.x.example).example',
    'https://[x.example](https://x.example)',
    'Link:https://x.example/a.b.',
    '1.https://x.example',
    'https://web.example/https://x.example.',
    'Profile:[me](https://x.example)',
    'Contact:me@x.example, or:[x.example](https://x.example)',
    '请看[文档](https://x.example)。谢谢',
    '使用[Docker](https://x.example)。谢谢',
    '請見[x.example](https://x.example)的說明',
    '[문서](https://x.example)를 [x.example](https://x.example)에서',
  ])('need no such word in ordinary writing: %s', (markdown) => {
    expect(shown(markdown)).not.toMatch(/ \([xyz]\.|web\.example\)|x\.example\)/);
  });
});

describe('what is not seen', () => {
  const hidden = 'a\u202eb\u2066c\u200bd\u0000e\u001b[31mf\u{e0041}g\ufeffh\u00ad';

  it('is left out of every text', () => {
    for (const text of [
      shown(`${hidden}\n\n\`\`\`\n${hidden}\n\`\`\``),
      escapeMrkdwn(hidden),
      toPlain(hidden, 99),
      toStreamText(hidden),
    ])
      expect([...text].filter((sign) => '\u202e\u2066\u200b\u0000\u001b\ufeff\u00ad\u{e0041}'.includes(sign))).toEqual(
        [],
      );
  });

  it('but emojis and scripts that need joiners stay whole', () => {
    expect(shown('👩‍👩‍👧 ❤️ नमस्‍ते')).toBe('👩‍👩‍👧 ❤️ नमस्‍ते');
  });
});

describe('a plain text', () => {
  it('is one line, cut with an ellipsis between characters, and never empty', () => {
    expect(toPlain(' a\n b\tc ', 10)).toBe('a b c');
    expect(toPlain('abcdef', 4)).toBe('abc…');
    expect(toPlain('abcdef', 6)).toBe('abcdef');
    expect(toPlain('a😀😀', 3)).toBe('a…');
    expect(toPlain('\u200b', 9)).toBe('…');
  });
});
