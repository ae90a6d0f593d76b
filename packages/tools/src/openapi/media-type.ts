// Which of an operation's content types a body is sent in.

import { isObject } from '@ai-agent/core';
import { mediaTypeOf } from '../rest/read-body.ts';
import type { Node } from './document.ts';

export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'binary';

export interface BodyType {
  readonly kind: BodyKind;
  /** As it is sent. */
  readonly contentType: string;
  readonly schema: unknown;
  /** How parts of a form are written, by their names. */
  readonly encoding: Node;
}

const preferred: readonly BodyKind[] = ['json', 'form', 'multipart', 'text', 'binary'];

/** The one that says most about its data; nothing when the body has no content. */
export function bodyTypeOf(body: Node): BodyType | undefined {
  const offered = Object.entries(isObject(body.content) ? body.content : {}).map(([contentType, media]) => {
    const { schema, encoding } = isObject(media) ? media : {};
    const kind = kindOf(mediaTypeOf(contentType));
    return { kind, contentType: sentAs(contentType, kind), schema, encoding: isObject(encoding) ? encoding : {} };
  });
  return preferred.map((kind) => offered.find((one) => one.kind === kind)).find((one) => one !== undefined);
}

function kindOf(mediaType: string): BodyKind {
  if (/[/+]json$/.test(mediaType) || mediaType === '*/*' || mediaType === 'application/*') return 'json';
  if (mediaType === 'application/x-www-form-urlencoded') return 'form';
  if (mediaType.startsWith('multipart/')) return 'multipart';
  return /^text\/|[/+](?:xml|yaml|x-yaml|javascript|graphql)$|ndjson|jsonl/.test(mediaType) ? 'text' : 'binary';
}

/** A range is no type: something has to be said. */
function sentAs(contentType: string, kind: BodyKind): string {
  if (!contentType.includes('*')) return contentType;
  if (kind === 'json') return 'application/json';
  return kind === 'text' ? 'text/plain' : 'application/octet-stream';
}
