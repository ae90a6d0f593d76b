// What stands inside a paragraph, a heading or a cell, as spans.

import type { Definition, PhrasingContent } from 'mdast';
import { findCrossings } from './crossings.ts';
import { ours } from './limits.ts';
import { isHonest, type Link, toTarget } from './links.ts';
import { gatherText } from './markdown.ts';
import { joinSpans, plainOf, type Span, type Style, textOf, toSpans, trimSpans } from './spans.ts';

export type Definitions = ReadonlyMap<string, Definition>;

export function toInline(
  nodes: readonly PhrasingContent[],
  definitions: Definitions,
  style: Style = {},
): readonly Span[] {
  const links = new Map<Span, Link>();
  const spans = nodes.flatMap((node) => render(node, { definitions, links, style, depth: 0 }));
  return trimSpans(joinSpans(links.size === 0 ? spans : withHosts(spans, links)));
}

/** Judged when all of them are there: what stands beside a label is read with it. */
function withHosts(spans: readonly Span[], links: ReadonlyMap<Span, Link>): readonly Span[] {
  const crossings = findCrossings(spans.map(textOf));
  return spans.flatMap((span, index) => {
    const link = links.get(span);
    if (link === undefined || isHonest(link, crossings[index] ?? [])) return [span];
    // What reads like another address is no link: the address that it leads to is.
    const { code: _, ...style } = span.style ?? {};
    const { url, real } = link.target;
    const leads: Span = { type: 'link', url, text: real, ...(span.style && { style }) };
    return [...toSpans(textOf(span), span.style), ...toSpans(' (', style), leads, ...toSpans(')', style)];
  });
}

interface Setting {
  readonly definitions: Definitions;
  /** What is known of the links so far. */
  readonly links: Map<Span, Link>;
  readonly style: Style;
  readonly depth: number;
}

function render(node: PhrasingContent, setting: Setting): readonly Span[] {
  const { style, depth } = setting;
  if (depth > ours.depth) return toSpans(gatherText(node), style);
  const inside = (more: Style) => ({ ...setting, style: { ...style, ...more }, depth: depth + 1 });
  switch (node.type) {
    case 'text':
      return toSpans(node.value, style);
    case 'strong':
      return node.children.flatMap((child) => render(child, inside({ bold: true })));
    case 'emphasis':
      return node.children.flatMap((child) => render(child, inside({ italic: true })));
    case 'delete':
      return node.children.flatMap((child) => render(child, inside({ strike: true })));
    case 'inlineCode':
      return toSpans(node.value, { ...style, code: true });
    case 'break':
      return toSpans('\n', style);
    case 'html':
      return toSpans(/^<br\s*\/?>$/i.test(node.value) ? '\n' : node.value, style);
    case 'footnoteReference':
      return toSpans(`[${node.label ?? node.identifier}]`, style);
    default:
      return renderLink(node, setting);
  }
}

type Linking = Extract<PhrasingContent, { type: 'link' | 'linkReference' | 'image' | 'imageReference' }>;

function renderLink(node: Linking, setting: Setting): readonly Span[] {
  const url = 'url' in node ? node.url : (setting.definitions.get(node.identifier)?.url ?? '');
  if (node.type === 'image' || node.type === 'imageReference') {
    const label = node.alt?.trim() ? node.alt : 'image';
    return toLink({ label, shown: label, url, style: setting.style }, setting);
  }
  // A link has one label: the look of its parts is taken where it is the look of all.
  const spans = node.children.flatMap((child) => render(child, { ...setting, depth: setting.depth + 1 }));
  const styles = new Set(spans.map((span) => JSON.stringify(span.style)));
  const style = styles.size === 1 ? (spans[0]?.style ?? setting.style) : setting.style;
  return toLink({ label: gatherText(node), shown: plainOf(spans), url, style }, setting);
}

interface Written {
  /** As it was written, with what is not seen. */
  readonly label: string;
  readonly shown: string;
  readonly url: string;
  readonly style: Style;
}

function toLink({ label, shown, url, style }: Written, { links }: Setting): readonly Span[] {
  const target = toTarget(url);
  if (target === undefined) return toSpans(url === '' || shown === url ? shown : `${shown} (${url})`, style);
  const [words = { type: 'text', text: target.real }] = toSpans(shown.trim(), style);
  const span: Span = {
    type: 'link',
    url: target.url,
    text: words.text ?? target.real,
    ...(words.style && { style: words.style }),
  };
  links.set(span, { label: label.trim(), url, target });
  return [span];
}
