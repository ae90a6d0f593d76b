// Which HTML in a text is drawn: what sets it out. Whatever could act, load or style is left out with all that is in it.

import { defaultRehypePlugins } from 'streamdown';

/** As far as we set it: the rest is what everybody takes who draws the HTML of strangers. */
interface Schema {
  readonly tagNames: readonly string[];
  readonly attributes: Readonly<Record<string, readonly unknown[]>>;
  readonly protocols: Readonly<Record<string, readonly string[]>>;
  readonly strip: readonly string[];
  readonly clobber: readonly string[];
  readonly clobberPrefix: string;
}

type Pluggable = (typeof defaultRehypePlugins)[string];
const [sanitize, usual] = defaultRehypePlugins.sanitize as unknown as readonly [Pluggable, Schema];

const aria = ['ariaLabel', 'ariaDescribedBy', 'ariaLabelledBy'];

const schema: Schema = {
  ...usual,
  tagNames: [
    ...usual.tagNames.filter((name) => !/^(?:picture|source)$/.test(name)),
    'abbr',
    'figure',
    'figcaption',
  ].concat('mark', 'small', 'time', 'u', 'caption', 'wbr', 'cite', 'dfn'),
  attributes: {
    a: ['href', 'id', 'dataFootnoteRef', 'dataFootnoteBackref', ...aria],
    code: [['className', /^language-./], 'metastring'],
    details: ['open'],
    h2: ['id', ['className', 'sr-only']],
    img: ['src', 'alt', 'width', 'height'],
    input: [['disabled', true], ['type', 'checkbox'], 'checked'],
    li: ['id', 'value', ['className', 'task-list-item']],
    ol: ['start', 'reversed', ['className', 'contains-task-list']],
    ul: [['className', 'contains-task-list']],
    section: ['dataFootnotes', ['className', 'footnotes']],
    td: ['align', 'colSpan', 'rowSpan'],
    th: ['align', 'colSpan', 'rowSpan', 'scope', 'abbr'],
    time: ['dateTime'],
    '*': ['title', 'lang', 'dir'],
  },
  protocols: { href: ['http', 'https', 'mailto'], src: ['http', 'https', 'data', 'blob'] },
  strip: [
    ...['script', 'style', 'template', 'noscript', 'title', 'iframe', 'frame', 'object', 'embed', 'applet', 'audio'],
    ...['video', 'canvas', 'svg', 'math', 'form', 'button', 'select', 'textarea', 'dialog', 'portal'],
  ],
  // A page must not find them by names of its own.
  clobber: ['id', 'ariaDescribedBy', 'ariaLabelledBy'],
  clobberPrefix: 'in-text-',
};

export const rehypePlugins: Pluggable[] = [defaultRehypePlugins.raw as Pluggable, [sanitize, schema] as Pluggable];

/** What ids begin with that a text has given. */
export const idPrefix: string = schema.clobberPrefix;
