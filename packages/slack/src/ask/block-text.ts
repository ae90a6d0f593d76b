// The words of blocks and attachments: posts of programs often have no others.

import { isObject } from '@ai-agent/core';
import { type LabelOf, toReadable } from './readable.ts';

type Part = Readonly<Record<string, unknown>>;

/** One paragraph a block; what only looks or clicks has none. */
export function textOfBlocks(blocks: unknown, labelOf: LabelOf): string {
  return join(
    partsOf(blocks).map((block) => textOfBlock(block, labelOf)),
    '\n',
  );
}

/** Those that a program wrote; previews of links are left out, since their pages were not said by anybody. */
export function textOfAttachments(attachments: unknown, labelOf: LabelOf): string {
  const written = partsOf(attachments).filter((one) => one.from_url === undefined || one.is_share === true);
  return join(
    written.map((one) => textOfAttachment(one, labelOf)),
    '\n',
  );
}

function textOfBlock(block: Part, labelOf: LabelOf): string {
  switch (block.type) {
    case 'rich_text':
      return join(
        partsOf(block.elements).map((element) => textOfRich(element, labelOf)),
        '\n',
      );
    case 'section':
      return join(
        [block.text, ...partsOf(block.fields)].map((text) => textOfObject(text, labelOf)),
        '\n',
      );
    case 'context':
      return join(
        partsOf(block.elements).map((element) => textOfObject(element, labelOf)),
        ' ',
      );
    case 'table':
      return join(
        listOf(block.rows).map((row) => textOfRow(row, labelOf)),
        '\n',
      );
    case 'markdown':
      return stringOf(block.text);
    default:
      return join(
        [block.text, block.title, block.alt_text].map((text) => textOfObject(text, labelOf)),
        ' ',
      );
  }
}

function textOfRow(row: unknown, labelOf: LabelOf): string {
  const cells = partsOf(row).map((cell) =>
    cell.type === 'rich_text' ? textOfBlock(cell, labelOf) : stringOf(cell.text),
  );
  return cells.map((cell) => cell.replaceAll('\n', ' ')).join(' | ');
}

/** A piece of rich text: a section, a list, a quote, code, and all that stands in them. Its words are not escaped. */
function textOfRich(element: Part, labelOf: LabelOf): string {
  const inside = partsOf(element.elements).map((one) => textOfRich(one, labelOf));
  switch (element.type) {
    case 'rich_text_list':
      return inside.map((item, index) => `${element.style === 'ordered' ? `${index + 1}.` : '-'} ${item}`).join('\n');
    case 'rich_text_quote':
      return inside.join('').replace(/^/gm, '> ');
    case 'rich_text_preformatted':
      return `\`\`\`\n${inside.join('')}\n\`\`\``;
    case 'link':
      return toReadable(`<${stringOf(element.url)}|${stringOf(element.text)}>`, labelOf);
    case 'user':
      return `@${labelOf(stringOf(element.user_id)) ?? stringOf(element.user_id)}`;
    case 'channel':
      return `#${stringOf(element.channel_id)}`;
    case 'usergroup':
      return `@${stringOf(element.usergroup_id)}`;
    case 'broadcast':
      return `@${stringOf(element.range)}`;
    case 'emoji':
      return `:${stringOf(element.name)}:`;
    case 'date':
      return stringOf(element.fallback);
    default:
      return inside.length > 0 ? inside.join('') : stringOf(element.text);
  }
}

function textOfAttachment(one: Part, labelOf: LabelOf): string {
  const fields = partsOf(one.fields).map(({ title, value }) => join([stringOf(title), stringOf(value)], ': '));
  const words = [one.pretext, one.title, one.text, ...fields].map((text) => toReadable(stringOf(text), labelOf));
  const all = join([...words, textOfBlocks(one.blocks, labelOf)], '\n');
  return all || toReadable(stringOf(one.fallback), labelOf);
}

/** `{ type: 'mrkdwn', text }`, or a bare text. */
function textOfObject(value: unknown, labelOf: LabelOf): string {
  if (!isObject(value)) return toReadable(stringOf(value), labelOf);
  return toReadable(stringOf(value.text) || stringOf(value.alt_text), labelOf);
}

function join(texts: readonly string[], between: string): string {
  return texts.filter((text) => text.trim() !== '').join(between);
}

function partsOf(value: unknown): readonly Part[] {
  return listOf(value).filter(isObject);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
