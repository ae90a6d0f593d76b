// Files that are text: which they are, what they say, and a fence that they cannot climb over.

/** By its type, or by its name where Slack knows no type. */
export function isTextFile({ name, mediaType }: { readonly name: string; readonly mediaType: string }): boolean {
  if (mediaType.startsWith('text/') || /\+(?:json|xml|yaml)$/.test(mediaType)) return !mediaType.includes('rtf');
  if (textTypes.has(mediaType)) return true;
  return mediaType === 'application/octet-stream' && /\.(?:md|markdown|csv|tsv|json|ya?ml|xml|txt|log)$/i.test(name);
}

/** Undefined when it is none. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const textTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/x-ndjson',
  'application/csv',
  'application/markdown',
  'application/xml',
  'application/yaml',
  'application/x-yaml',
  'application/toml',
  'application/javascript',
  'application/x-sh',
  'application/sql',
]);
