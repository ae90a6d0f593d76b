// Holds every payload to what Slack documents. What Slack would refuse has its word; what it would take and should not see has none.
import { checkBlocks, checkSum } from './check-blocks.ts';
import { type Allowed, checkTextObject, checkWords, lengthOf, sizeOf, type Tell } from './check-text.ts';
import { isThing, type Thing, textOf, thingOf, thingsOf } from './values.ts';

export interface Breach {
  readonly sentence: string;
  /** What Slack refuses it with. */
  readonly word?: string | undefined;
}

type Check = (args: Thing, tell: Tell, allowed: Allowed) => void;

const CHECKS: Record<string, Check> = {
  'chat.postMessage': checkPost,
  'chat.postEphemeral': checkEphemeral,
  'chat.update': checkUpdate,
  'chat.startStream': checkStartStream,
  'chat.appendStream': checkStream,
  'chat.stopStream': checkStopStream,
  'views.open': checkViewCall,
  'views.push': checkViewCall,
  'views.update': checkViewCall,
  'files.completeUploadExternal': checkCompletion,
  /** What is posted to a `response_url`, and what a command is acknowledged with. */
  respond: checkMessage,
  /** A view inside an acknowledgement. */
  view: (args, tell, allowed) => checkView(args, tell, allowed),
};

export function checkPayload(method: string, args: Thing, allowed: Allowed): Breach[] {
  const breaches: Breach[] = [];
  const check = Object.hasOwn(CHECKS, method) ? CHECKS[method] : undefined;
  check?.(args, (sentence, word) => breaches.push({ sentence: `${method}: ${sentence}.`, word }), allowed);
  return breaches;
}

function checkPost(args: Thing, tell: Tell, allowed: Allowed): void {
  checkMessage(args, tell, allowed);
  if (textOf(args.text) === '' && args.blocks !== undefined)
    tell('blocks without text: whoever is notified reads nothing');
  if (args.unfurl_links !== false) tell('unfurl_links is not false');
  if (args.unfurl_media !== false) tell('unfurl_media is not false');
}

function checkEphemeral(args: Thing, tell: Tell, allowed: Allowed): void {
  checkMessage(args, tell, allowed);
  if (textOf(args.text) === '' && args.blocks !== undefined)
    tell('blocks without text: whoever is notified reads nothing');
  if (!/^[UW][A-Z0-9]+$/.test(textOf(args.user))) tell('user is no id', 'user_not_in_channel');
}

function checkUpdate(args: Thing, tell: Tell, allowed: Allowed): void {
  checkMessage(args, tell, allowed);
  checkTimestamp(args, 'ts', tell);
  if (args.blocks !== undefined && args.text === undefined)
    tell('blocks without text: the old text stays in notifications');
}

function checkMessage(args: Thing, tell: Tell, allowed: Allowed): void {
  const text = textOf(args.text);
  const isEmpty = text === '' && lengthOf(args, 'blocks') === 0 && lengthOf(args, 'attachments') === 0;
  if (isEmpty && args.markdown_text === undefined && args.delete_original !== true)
    tell('neither text nor blocks', 'no_text');
  if (args.text !== undefined && typeof args.text !== 'string') tell('text is no string', 'invalid_arguments');
  if (text.length > 40_000) tell(`text has ${text.length} characters, of 40000`, 'msg_too_long');
  else if (text.length > 4000) tell(`text has ${text.length} characters, and Slack advises 4000`);
  checkWords(text, 'text', tell, allowed);
  if (args.parse === 'full' || args.link_names !== undefined) tell('names in text would become mentions');
  checkMarkdown(args, tell, allowed);
  checkMessageBlocks(args, tell, allowed);
  if (lengthOf(args, 'attachments') > 100) tell('over 100 attachments', 'too_many_attachments');
  for (const attachment of thingsOf(args.attachments)) {
    if (attachment.blocks !== undefined) checkBlocks(attachment.blocks, 50, tell, allowed);
    checkWords(textOf(attachment.text), 'attachment text', tell, allowed);
  }
  if (args.thread_ts !== undefined) checkTimestamp(args, 'thread_ts', tell);
}

function checkMessageBlocks({ blocks }: Thing, tell: Tell, allowed: Allowed): void {
  if (blocks === undefined) return;
  checkBlocks(blocks, 50, tell, allowed);
  checkSum(blocks, tell);
  const buttons = thingsOf(blocks)
    .flatMap((block) => (block.type === 'actions' ? thingsOf(block.elements) : []))
    .filter(({ type }) => type === 'button');
  if (buttons.some(({ action_id }) => textOf(action_id) === '')) tell('a button has no action_id: nobody can hear it');
}

/** A number on the wire has lost its last zeros. */
function checkTimestamp(args: Thing, key: string, tell: Tell): void {
  if (typeof args[key] !== 'string' || !/^\d{10}\.\d{6}$/.test(args[key]))
    tell(`${key} is ${JSON.stringify(args[key])}`);
}

function checkMarkdown(args: Thing, tell: Tell, allowed: Allowed): void {
  if (args.markdown_text === undefined) return;
  const words = textOf(args.markdown_text);
  if (args.text !== undefined || (args.blocks !== undefined && args.ts === undefined))
    tell('markdown_text beside text or blocks', 'markdown_text_conflict');
  if (words.length > 12_000) tell(`markdown_text has ${words.length} characters, of 12000`, 'msg_too_long');
  checkWords(words, 'markdown_text', tell, allowed);
}

function checkStartStream(args: Thing, tell: Tell, allowed: Allowed): void {
  checkTimestamp(args, 'thread_ts', tell);
  checkChunks(args, tell, allowed);
}

function checkStream(args: Thing, tell: Tell, allowed: Allowed): void {
  checkTimestamp(args, 'ts', tell);
  if (textOf(args.markdown_text) === '' && lengthOf(args, 'chunks') === 0) tell('nothing to append', 'no_text');
  checkChunks(args, tell, allowed);
}

function checkStopStream(args: Thing, tell: Tell, allowed: Allowed): void {
  checkTimestamp(args, 'ts', tell);
  checkChunks(args, tell, allowed);
  checkMessageBlocks(args, tell, allowed);
}

function checkChunks(args: Thing, tell: Tell, allowed: Allowed): void {
  checkMarkdown(args, tell, allowed);
  if (args.chunks === undefined) return;
  if (!Array.isArray(args.chunks)) {
    tell('chunks are no list', 'invalid_chunks');
    return;
  }
  if (args.markdown_text !== undefined) tell('chunks beside markdown_text', 'invalid_arguments');
  for (const chunk of thingsOf(args.chunks)) checkChunk(chunk, tell, allowed);
}

function checkChunk(chunk: Thing, tell: Tell, allowed: Allowed): void {
  if (chunk.type === 'markdown_text') {
    if (textOf(chunk.text) === '') tell('a chunk has no text', 'invalid_chunks');
    if (sizeOf(chunk.text) > 12_000) tell(`a chunk has ${sizeOf(chunk.text)} characters, of 12000`, 'msg_too_long');
    checkWords(textOf(chunk.text), 'chunk', tell, allowed);
    return;
  }
  if (chunk.type === 'blocks') {
    checkBlocks(chunk.blocks, 50, tell, allowed);
    return;
  }
  if (chunk.type !== 'task_update' && chunk.type !== 'plan_update') {
    tell(`a chunk is of type ${String(chunk.type)}`, 'invalid_chunks');
    return;
  }
  if (sizeOf(chunk.title) === 0 || sizeOf(chunk.title) > 256)
    tell('a chunk has a title of 0 or over 256 characters', 'invalid_chunks');
  if (chunk.type === 'plan_update') return;
  if (sizeOf(chunk.id) === 0) tell('a task has no id', 'invalid_chunks');
  if (!['pending', 'in_progress', 'complete', 'error'].includes(textOf(chunk.status)))
    tell(`a task has the status ${String(chunk.status)}`, 'invalid_chunks');
}

function checkViewCall(args: Thing, tell: Tell, allowed: Allowed): void {
  if (!isThing(args.view)) {
    tell('view is missing', 'invalid_arguments');
    return;
  }
  checkView(args.view, tell, allowed);
}

function checkView(view: Thing, tellBlocks: Tell, allowed: Allowed): void {
  const tell: Tell = (sentence, word) => tellBlocks(sentence, word === undefined ? undefined : 'invalid_arguments');
  if (view.type !== 'modal' && view.type !== 'home') tell(`view is of type ${String(view.type)}`, 'invalid_arguments');
  for (const key of ['title', 'submit', 'close']) {
    if (view[key] !== undefined) checkTextObject(view[key], { where: key, max: 24, plainOnly: true }, tell, allowed);
  }
  if (view.type === 'modal' && view.title === undefined) tell('view has no title', 'invalid_arguments');
  if (lengthOf(view, 'private_metadata') > 3000) tell('private_metadata has over 3000 characters', 'invalid_arguments');
  if (lengthOf(view, 'callback_id') > 255) tell('callback_id has over 255 characters', 'invalid_arguments');
  if (lengthOf(view, 'external_id') > 255) tell('external_id has over 255 characters', 'invalid_arguments');
  const inputs = thingsOf(view.blocks).filter(({ type }) => type === 'input');
  if (inputs.length > 0 && view.submit === undefined) tell('inputs without submit', 'invalid_arguments');
  if (thingsOf(view.blocks).some(({ type }) => type === 'table' || type === 'markdown'))
    tell('a block that no view takes', 'invalid_arguments');
  checkBlocks(view.blocks, 100, tell, allowed);
}

function checkCompletion(args: Thing, tell: Tell, allowed: Allowed): void {
  if (lengthOf(args, 'files') === 0) tell('no files', 'invalid_arguments');
  if (args.thread_ts !== undefined) checkTimestamp(args, 'thread_ts', tell);
  checkWords(textOf(args.initial_comment), 'initial_comment', tell, allowed);
  for (const file of thingsOf(args.files)) {
    if (textOf(thingOf(file).id) === '') tell('a file has no id', 'invalid_arguments');
  }
}
