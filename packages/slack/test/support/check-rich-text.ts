// Whether rich text is what Slack takes, and calls nobody. Written from the reference of Block Kit.
import { type Allowed, checkLink, type Tell } from './check-text.ts';
import { isThing, type Thing, textOf, thingsOf } from './values.ts';

const PARTS = ['rich_text_section', 'rich_text_list', 'rich_text_preformatted', 'rich_text_quote'];
const WORDS = ['text', 'link', 'emoji', 'date', 'color'];
const CALLS = ['user', 'usergroup', 'broadcast', 'channel', 'team'];
const STYLES = ['bold', 'italic', 'strike', 'code', 'underline'];

export function checkRichText(block: Thing, where: string, tell: Tell, allowed: Allowed): void {
  const parts = thingsOf(block.elements);
  if (parts.length === 0) tell(`${where} has no elements`, 'invalid_blocks');
  for (const part of parts) checkPart(part, `${where} ${textOf(part.type)}`, tell, allowed);
}

/** How many characters of it are read: addresses count where nothing else stands for them. */
export function countRichText(thing: Thing): number {
  const own = textOf(thing.text) || (thing.type === 'link' ? textOf(thing.url) : textOf(thing.name));
  return thingsOf(thing.elements).reduce((sum, element) => sum + countRichText(element), own.length);
}

function checkPart(part: Thing, where: string, tell: Tell, allowed: Allowed): void {
  const type = textOf(part.type);
  if (!PARTS.includes(type)) {
    tell(`${where} is no part of rich text`, 'invalid_blocks');
    return;
  }
  if (part.border !== undefined && part.border !== 0 && part.border !== 1)
    tell(`${where} has a border of ${String(part.border)}`, 'invalid_blocks');
  const elements = thingsOf(part.elements);
  if (elements.length === 0) tell(`${where} has no elements`, 'invalid_blocks');
  if (type === 'rich_text_list') {
    checkList(part, where, tell, allowed);
    return;
  }
  for (const element of elements) {
    checkElement(element, where, tell, allowed);
    if (type === 'rich_text_preformatted' && element.type !== 'text' && element.type !== 'link')
      tell(`${where} has ${textOf(element.type)}`, 'invalid_blocks');
  }
}

function checkList(list: Thing, where: string, tell: Tell, allowed: Allowed): void {
  if (list.style !== 'bullet' && list.style !== 'ordered')
    tell(`${where} has the style ${String(list.style)}`, 'invalid_blocks');
  for (const [key, most] of [
    ['indent', 8],
    ['offset', Number.MAX_SAFE_INTEGER],
  ] as const) {
    const value = list[key];
    if (value !== undefined && (!Number.isInteger(value) || Number(value) < 0 || Number(value) > most))
      tell(`${where} has ${key} ${String(value)}`, 'invalid_blocks');
  }
  for (const item of thingsOf(list.elements)) {
    if (item.type !== 'rich_text_section') tell(`${where} has an item of type ${textOf(item.type)}`, 'invalid_blocks');
    else checkPart(item, `${where} item`, tell, allowed);
  }
}

function checkElement(element: Thing, where: string, tell: Tell, allowed: Allowed): void {
  const type = textOf(element.type);
  if (CALLS.includes(type)) {
    const id = textOf(
      element.user_id ?? element.channel_id ?? element.usergroup_id ?? element.range ?? element.team_id,
    );
    if (!allowed.has(id)) tell(`${where} mentions the ${type} ${id}`);
    return;
  }
  if (!WORDS.includes(type)) {
    tell(`${where} has an element of type ${type}`, 'invalid_blocks');
    return;
  }
  if (type === 'text' && textOf(element.text) === '') tell(`${where} has an empty text`, 'invalid_blocks');
  if (type === 'link') checkLink(textOf(element.url), element.text, where, tell);
  if (type === 'link' && element.text === '') tell(`${where} has a link with an empty text`, 'invalid_blocks');
  if (type === 'emoji' && textOf(element.name) === '') tell(`${where} has an emoji without a name`, 'invalid_blocks');
  if (element.style !== undefined) checkStyle(element.style, where, tell);
}

function checkStyle(style: unknown, where: string, tell: Tell): void {
  if (!isThing(style)) {
    tell(`${where} has a style that is no object`, 'invalid_blocks');
    return;
  }
  for (const [key, value] of Object.entries(style)) {
    if (!STYLES.includes(key) || typeof value !== 'boolean')
      tell(`${where} has the style ${key}: ${String(value)}`, 'invalid_blocks');
  }
}
