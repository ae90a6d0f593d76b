// Whether blocks are inside Slack's limits. Written from the reference of Block Kit, not from our own table.
import { checkElement, checkImage } from './check-elements.ts';
import { checkRichText, countRichText } from './check-rich-text.ts';
import { type Allowed, checkTextObject, checkWords, lengthOf, type Tell } from './check-text.ts';
import { isThing, type Thing, textOf, thingOf, thingsOf } from './values.ts';

type Check = (block: Thing, where: string, tell: Tell, allowed: Allowed) => void;

const CHECKS: Record<string, Check> = {
  section: checkSection,
  header: (block, where, tell, allowed) =>
    checkTextObject(block.text, { where: `${where} text`, max: 150, plainOnly: true }, tell, allowed),
  context: checkContext,
  actions: checkActions,
  divider: () => undefined,
  rich_text: checkRichText,
  table: checkTable,
  image: checkImage,
  input: checkInput,
  markdown: checkMarkdown,
};

export function checkBlocks(blocks: unknown, most: number, tell: Tell, allowed: Allowed): void {
  if (!Array.isArray(blocks)) {
    tell('blocks are no list', 'invalid_blocks_format');
    return;
  }
  if (blocks.length > most) tell(`${blocks.length} blocks, of ${most}`, 'invalid_blocks');
  const seen = new Set<unknown>();
  for (const [index, raw] of blocks.entries()) {
    const block = thingOf(raw);
    const where = `block ${index} (${textOf(block.type)})`;
    const check = Object.hasOwn(CHECKS, textOf(block.type)) ? CHECKS[textOf(block.type)] : undefined;
    if (check === undefined) tell(`${where} is of no known type`, 'invalid_blocks');
    check?.(block, where, tell, allowed);
    if (block.block_id === undefined) continue;
    if (lengthOf(block, 'block_id') > 255) tell(`${where} has a block_id over 255 characters`, 'invalid_blocks');
    if (seen.has(block.block_id)) tell(`${where} has the block_id of another`, 'invalid_blocks');
    seen.add(block.block_id);
  }
  const tables = blocks.filter((block) => thingOf(block).type === 'table').length;
  if (tables > 1) tell(`${tables} tables, of one`, 'only_one_table_allowed');
}

/** Slack documents no sum, and refuses with `msg_blocks_too_long` about here. Tables have their own. */
export function checkSum(blocks: unknown, tell: Tell): void {
  const sum = countText(thingsOf(blocks).filter(({ type }) => type !== 'table'));
  if (sum > 12_000) tell(`blocks have ${sum} characters together, of 12000`, 'msg_blocks_too_long');
}

function countText(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + countText(each), 0);
  if (!isThing(value)) return 0;
  return Object.entries(value).reduce((sum, [key, each]) => {
    if (typeof each === 'string') return sum + (key === 'text' || key === 'url' || key === 'name' ? each.length : 0);
    return sum + countText(each);
  }, 0);
}

function checkSection(block: Thing, where: string, tell: Tell, allowed: Allowed): void {
  const fields = thingsOf(block.fields);
  if (block.text === undefined && fields.length === 0) tell(`${where} has neither text nor fields`, 'invalid_blocks');
  if (block.text !== undefined) checkTextObject(block.text, { where: `${where} text`, max: 3000 }, tell, allowed);
  if (fields.length > 10) tell(`${where} has ${fields.length} fields, of 10`, 'invalid_blocks');
  for (const field of fields) checkTextObject(field, { where: `${where} field`, max: 2000 }, tell, allowed);
  if (block.accessory !== undefined) checkElement(thingOf(block.accessory), `${where} accessory`, tell, allowed);
}

function checkContext(block: Thing, where: string, tell: Tell, allowed: Allowed): void {
  const elements = thingsOf(block.elements);
  if (elements.length < 1 || elements.length > 10)
    tell(`${where} has ${elements.length} elements, of 1 to 10`, 'invalid_blocks');
  for (const element of elements) {
    if (element.type === 'image') checkImage(element, `${where} image`, tell);
    else checkTextObject(element, { where: `${where} text`, max: 3000 }, tell, allowed);
  }
}

function checkActions(block: Thing, where: string, tell: Tell, allowed: Allowed): void {
  const elements = thingsOf(block.elements);
  if (elements.length < 1 || elements.length > 25)
    tell(`${where} has ${elements.length} elements, of 1 to 25`, 'invalid_blocks');
  const ids = elements.map((element) => element.action_id).filter((id) => id !== undefined);
  if (new Set(ids).size < ids.length) tell(`${where} has an action_id twice`, 'invalid_blocks');
  for (const element of elements) checkElement(element, `${where} ${textOf(element.type)}`, tell, allowed);
}

function checkTable(block: Thing, where: string, tell: Tell, allowed: Allowed): void {
  const rows = Array.isArray(block.rows) ? block.rows : [];
  if (rows.length < 1 || rows.length > 100) tell(`${where} has ${rows.length} rows, of 1 to 100`, 'invalid_blocks');
  if (lengthOf(block, 'column_settings') > 20) tell(`${where} has settings of over 20 columns`, 'invalid_blocks');
  const widths = new Set(rows.map((row) => thingsOf(row).length));
  if (widths.size > 1) tell(`${where} has rows of ${[...widths].join(' and ')} cells`, 'invalid_blocks');
  let characters = 0;
  for (const row of rows) {
    const cells = thingsOf(row);
    if (cells.length < 1 || cells.length > 20)
      tell(`${where} has ${cells.length} columns, of 1 to 20`, 'invalid_blocks');
    for (const cell of cells) {
      checkCell(cell, where, tell, allowed);
      characters += countRichText(cell);
    }
  }
  if (characters > 10_000) tell(`${where} has ${characters} characters, of 10000`, 'invalid_blocks');
}

function checkCell(cell: Thing, where: string, tell: Tell, allowed: Allowed): void {
  if (cell.type === 'rich_text') {
    checkRichText(cell, `${where} cell`, tell, allowed);
    return;
  }
  if (cell.type === 'raw_number') return;
  if (cell.type !== 'raw_text') {
    tell(`${where} has a cell of type ${String(cell.type)}`, 'invalid_blocks');
    return;
  }
  if (textOf(cell.text) === '') tell(`${where} has an empty cell`, 'invalid_blocks');
}

function checkInput(block: Thing, where: string, tell: Tell, allowed: Allowed): void {
  checkTextObject(block.label, { where: `${where} label`, max: 2000, plainOnly: true }, tell, allowed);
  if (block.hint !== undefined)
    checkTextObject(block.hint, { where: `${where} hint`, max: 2000, plainOnly: true }, tell, allowed);
  if (!isThing(block.element)) {
    tell(`${where} has no element`, 'invalid_blocks');
    return;
  }
  checkElement(block.element, `${where} ${textOf(block.element.type)}`, tell, allowed);
}

function checkMarkdown(block: Thing, where: string, tell: Tell, allowed: Allowed): void {
  const text = textOf(block.text);
  if (text === '') tell(`${where} is empty`, 'invalid_blocks');
  if (text.length > 12_000) tell(`${where} has ${text.length} characters, of 12000`, 'invalid_blocks');
  checkWords(text, where, tell, allowed);
}
