// A file of a conversation in the words of the AI SDK.

import { AgentError, type FilePart } from '@ai-agent/core';
import type { LanguageModelV4FilePart } from '@ai-sdk/provider';

export function toFilePart({ mediaType, data, name }: FilePart): LanguageModelV4FilePart {
  const inline = /^data:[^,]*;base64,/i.exec(data)?.[0];
  const isAddress = !inline && /^[a-z][a-z0-9+.-]*:/i.test(data);
  return {
    type: 'file',
    mediaType: mediaType === 'image/jpg' ? 'image/jpeg' : mediaType,
    data: isAddress ? { type: 'url', url: toUrl(data) } : { type: 'data', data: data.slice(inline?.length ?? 0) },
    ...(name === undefined ? {} : { filename: name }),
  };
}

function toUrl(text: string): URL {
  const url = URL.parse(text);
  if (url) return url;
  throw new AgentError('model-request-refused', `A file is at ${text.slice(0, 200)}, which is not an address.`, {
    remedy: 'Give the file as base64, or at an address that is one.',
  });
}
