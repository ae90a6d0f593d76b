// Where a file of a tool's result goes, as its provider takes it: into the result, to the user after it, or into words.

import type { ToolResultPart } from '@ai-agent/core';
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider';
import { fillers } from './providers/fillers.ts';
import { toFilePart } from './to-file-part.ts';

export type FilePlace = 'inside' | 'after' | 'words';
export type PlaceOfFile = (file: LanguageModelV4FilePart) => FilePlace;

/** By their media types; others are told in words. */
export function placing(taken: { readonly inside: readonly RegExp[]; readonly after: readonly RegExp[] }): PlaceOfFile {
  return ({ mediaType }) => {
    if (taken.inside.some((type) => type.test(mediaType))) return 'inside';
    return taken.after.some((type) => type.test(mediaType)) ? 'after' : 'words';
  };
}

/** What is a picture to nearly all models: of another kind it is refused, and every request after it. */
export const picture = /^image\/(?:png|jpeg|gif|webp)$/;

/** What nearly all who take files at all take of a user. */
export const whereUsual: PlaceOfFile = ({ mediaType, data }) => {
  if (picture.test(mediaType)) return 'after';
  return mediaType === 'application/pdf' && data.type === 'data' ? 'after' : 'words';
};

export function toOutput(part: ToolResultPart, placeOf: PlaceOfFile): LanguageModelV4ToolResultOutput {
  const { text, isError, files } = part;
  if (!files || isError) return { type: isError ? 'error-text' : 'text', value: text.toWellFormed() };
  const placed = files.map((file) => toPlaced(file, placeOf));
  const words = placed.flatMap(({ file, place }) => (place === 'words' ? fillers.notShown(nameOf(file)) : []));
  const said = [text.toWellFormed(), ...words].filter((one) => one.trim() !== '').join('\n\n');
  const inside = placed.flatMap(({ file, place }) => (place === 'inside' ? file : []));
  if (inside.length === 0) return { type: 'text', value: said || fillers.onlyFiles };
  // A text that is empty is refused.
  return { type: 'content', value: [...(said === '' ? [] : [{ type: 'text' as const, text: said }]), ...inside] };
}

/** What the user shows after all results of a turn: no wire takes anything between them. */
export function filesAfter(
  results: readonly ToolResultPart[],
  placeOf: PlaceOfFile,
): LanguageModelV4Message | undefined {
  if (!results.some(({ files, isError }) => files && !isError)) return undefined;
  const content = results.flatMap(({ name, files = [], isError }) => {
    const placed = isError ? [] : files.map((file) => toPlaced(file, placeOf));
    const after = placed.flatMap(({ file, place }) => (place === 'after' ? file : []));
    return after.length === 0 ? [] : [{ type: 'text' as const, text: fillers.filesOf(name) }, ...after];
  });
  return content.length === 0 ? undefined : { role: 'user', content };
}

/** What a tool names as an address and is none would spoil the request, and each one after it. */
function toPlaced(part: NonNullable<ToolResultPart['files']>[number], placeOf: PlaceOfFile) {
  const isAway = /^[a-z][a-z0-9+.-]*:/i.test(part.data) && !/^data:[^,]*;base64,/i.test(part.data);
  const isReachable = !isAway || (/^https?:/i.test(part.data) && URL.canParse(part.data));
  const file = toFilePart(isReachable ? part : { ...part, data: '' });
  return { file, place: isReachable ? placeOf(file) : ('words' as const) };
}

function nameOf({ filename, mediaType }: LanguageModelV4FilePart): string {
  return filename === undefined ? `A file of type ${mediaType}` : `${filename} (${mediaType})`;
}
