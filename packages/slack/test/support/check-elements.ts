// Whether buttons, menus and fields are inside Slack's limits. Written from the reference of Block Kit.
import { type Allowed, checkTextObject, lengthOf, sizeOf, type Tell, type TextRule } from './check-text.ts';
import { isThing, type Thing, textOf, thingOf, thingsOf } from './values.ts';

const ANSWERS: Record<string, 'options' | 'few-options' | 'none'> = {
  static_select: 'options',
  multi_static_select: 'options',
  radio_buttons: 'few-options',
  checkboxes: 'few-options',
  overflow: 'few-options',
  plain_text_input: 'none',
  number_input: 'none',
  datepicker: 'none',
  timepicker: 'none',
  email_text_input: 'none',
  url_text_input: 'none',
  users_select: 'none',
  conversations_select: 'none',
  channels_select: 'none',
  file_input: 'none',
  rich_text_input: 'none',
};

export function checkElement(element: Thing, where: string, tell: Tell, allowed: Allowed): void {
  const type = textOf(element.type);
  if (type === 'image') {
    checkImage(element, where, tell);
    return;
  }
  if (lengthOf(element, 'action_id') > 255) tell(`${where} has an action_id over 255 characters`, 'invalid_blocks');
  if (element.confirm !== undefined) checkConfirm(thingOf(element.confirm), `${where} confirm`, tell, allowed);
  if (element.placeholder !== undefined)
    checkTextObject(element.placeholder, { where: `${where} placeholder`, max: 150, plainOnly: true }, tell, allowed);
  if (type === 'button') {
    checkButton(element, where, tell, allowed);
    return;
  }
  const answers = ANSWERS[type];
  if (answers === undefined) {
    tell(`${where} is an element of type ${type}`, 'invalid_blocks');
    return;
  }
  if (answers !== 'none') checkOptions(element, where, tell, allowed);
  if (type === 'plain_text_input') checkTextInput(element, where, tell);
}

export function checkImage(image: Thing, where: string, tell: Tell): void {
  if (sizeOf(image.alt_text) === 0 || sizeOf(image.alt_text) > 2000) tell(`${where} needs alt_text`, 'invalid_blocks');
  if (sizeOf(image.image_url) > 3000) tell(`${where} has an image_url over 3000 characters`, 'invalid_blocks');
  if (image.image_url === undefined && image.slack_file === undefined) tell(`${where} has no image`, 'invalid_blocks');
}

function checkButton(button: Thing, where: string, tell: Tell, allowed: Allowed): void {
  checkTextObject(button.text, { where: `${where} text`, max: 75, plainOnly: true }, tell, allowed);
  if (sizeOf(button.value) > 2000)
    tell(`${where} has a value of ${sizeOf(button.value)} characters, of 2000`, 'invalid_blocks');
  if (button.value !== undefined && typeof button.value !== 'string')
    tell(`${where} has a value that is no string`, 'invalid_blocks');
  if (sizeOf(button.url) > 3000) tell(`${where} has a url over 3000 characters`, 'invalid_blocks');
  if (button.url !== undefined && !/^https?:\/\//.test(textOf(button.url)))
    tell(`${where} opens ${textOf(button.url).slice(0, 80)}`, 'invalid_blocks');
  if (button.style !== undefined && button.style !== 'primary' && button.style !== 'danger')
    tell(`${where} has the style ${String(button.style)}`, 'invalid_blocks');
  if (sizeOf(button.accessibility_label) > 75) tell(`${where} has a label over 75 characters`, 'invalid_blocks');
}

function checkOptions(element: Thing, where: string, tell: Tell, allowed: Allowed): void {
  const few = ANSWERS[textOf(element.type)] === 'few-options';
  const most = element.type === 'overflow' ? 5 : few ? 10 : 100;
  const groups = thingsOf(element.option_groups);
  const options = groups.length > 0 ? groups.flatMap((group) => thingsOf(group.options)) : thingsOf(element.options);
  if (options.length < 1 || options.length > most)
    tell(`${where} has ${options.length} options, of 1 to ${most}`, 'invalid_blocks');
  const values = options.map(({ value }) => value);
  if (new Set(values).size < values.length) tell(`${where} has an option twice`, 'invalid_blocks');
  const plainOnly = !few || element.type === 'overflow';
  for (const [index, option] of options.entries())
    checkOption(option, { where: `${where} option ${index}`, max: 75, plainOnly }, tell, allowed);
  for (const chosen of [element.initial_option, ...thingsOf(element.initial_options)].filter(isThing)) {
    if (!values.includes(chosen.value)) tell(`${where} begins with an option that it has not`, 'invalid_blocks');
  }
}

function checkOption(option: Thing, rule: TextRule, tell: Tell, allowed: Allowed): void {
  checkTextObject(option.text, { ...rule, where: `${rule.where} text` }, tell, allowed);
  if (sizeOf(option.value) === 0 || sizeOf(option.value) > 150)
    tell(`${rule.where} has a value of ${sizeOf(option.value)} characters, of 1 to 150`, 'invalid_blocks');
  if (option.description !== undefined)
    checkTextObject(option.description, { ...rule, where: `${rule.where} description` }, tell, allowed);
}

function checkTextInput(input: Thing, where: string, tell: Tell): void {
  const { max_length: max, min_length: min } = input;
  if (sizeOf(input.initial_value) > 3000)
    tell(`${where} begins with ${sizeOf(input.initial_value)} characters, of 3000`, 'invalid_blocks');
  if (max !== undefined && (!Number.isInteger(max) || Number(max) < 1 || Number(max) > 3000))
    tell(`${where} has max_length ${String(max)}, of 1 to 3000`, 'invalid_blocks');
  if (min !== undefined && (!Number.isInteger(min) || Number(min) < 0 || Number(min) > 3000))
    tell(`${where} has min_length ${String(min)}, of 0 to 3000`, 'invalid_blocks');
}

function checkConfirm(confirm: Thing, where: string, tell: Tell, allowed: Allowed): void {
  for (const [key, max] of [
    ['title', 100],
    ['text', 300],
    ['confirm', 30],
    ['deny', 30],
  ] as const)
    checkTextObject(confirm[key], { where: `${where} ${key}`, max, plainOnly: key !== 'text' }, tell, allowed);
}
