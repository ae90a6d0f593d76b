// Any answer of a tool as a result. An answer that is not of the contract is the tool's failure.

import { resultFiles } from './defaults.ts';
import { AgentError, type Failure, messageOf, toFailure } from './errors.ts';
import { bytesOfFiles, fileProblem, inOneLine, isAddress, isBase64 } from './file-part.ts';
import { isObject, type Json, toJson } from './json.ts';
import type { FilePart } from './message.ts';
import { failedResult, type ToolResult } from './tool-result.ts';

export function toToolResult(output: unknown): ToolResult {
  if (typeof output === 'string') return { status: 'ok', text: output };
  const { type, value, summary, failure, text, files } = isObject(output) ? output : {};
  if (type === 'failure' && isFailure(failure)) return failedResult(failure, typeof text === 'string' ? text : '');
  const read = readFiles(files);
  if ('problem' in read) return failedResult(toFailure(new AgentError('tool-failed', `The tool's ${read.problem}.`)));
  const extra = { ...(typeof summary === 'string' ? { summary } : {}), ...read };
  if (type === 'text' && typeof value === 'string') return { status: 'ok', text: value, ...extra };
  if (type !== 'json' || value === undefined || typeof value === 'function') {
    const message = `The tool answered with ${describe(output)} instead of a string or { type: 'text' | 'json', value }.`;
    return failedResult(toFailure(new AgentError('tool-failed', message)));
  }
  const json = plain(value);
  if ('failure' in json) return failedResult(json.failure);
  return { status: 'ok', text: JSON.stringify(json.value), value: json.value, ...extra };
}

/** They reach a model as they are: what is no file would spoil every request from now on. */
function readFiles(files: unknown): { readonly files?: readonly FilePart[] } | { readonly problem: string } {
  if (files === undefined) return {};
  const problem = problemOfFiles(files);
  if (problem !== undefined) return { problem };
  // Their size is known to be bounded.
  const plain = (files as readonly FilePart[]).map(toPlainFile);
  const unread = plain.findIndex(({ data }) => !isAddress(data) && !isBase64(data));
  if (unread >= 0) return { problem: `files[${unread}].data is neither base64 nor an address` };
  return plain.length === 0 ? {} : { files: plain };
}

function problemOfFiles(files: unknown): string | undefined {
  if (!Array.isArray(files)) return 'files must be a list of files';
  if (files.length > resultFiles.count)
    return `result has ${files.length} files, and at most ${resultFiles.count} reach a model`;
  for (const [i, part] of files.entries()) {
    const problem = fileProblem(part);
    if (problem) return `files[${i}]${problem}`;
  }
  const bytes = bytesOfFiles(files);
  if (bytes <= resultFiles.bytes) return undefined;
  return `files have ${bytes} bytes together, and at most ${resultFiles.bytes} of one result reach a model`;
}

function toPlainFile({ mediaType, data, name }: FilePart): FilePart {
  return { type: 'file', mediaType, data: inOneLine(data), ...(name === undefined ? {} : { name }) };
}

function plain(value: unknown): { value: Json } | { failure: Failure } {
  try {
    return { value: toJson(value) };
  } catch (error) {
    const message = `The tool's JSON answer cannot be written as JSON: ${messageOf(error)}.`;
    return { failure: toFailure(new AgentError('tool-failed', message)) };
  }
}

function isFailure(value: unknown): value is Failure {
  return isObject(value) && ['class', 'code', 'message', 'remedy'].every((key) => typeof value[key] === 'string');
}

function describe(output: unknown): string {
  if (output === undefined || output === null) return 'nothing';
  if (isObject(output) && typeof output.type === 'string') return `{ type: '${output.type}' } without a fitting value`;
  return Array.isArray(output) ? 'an array' : `a value of type ${typeof output}`;
}
