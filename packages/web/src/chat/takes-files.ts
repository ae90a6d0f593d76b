// Files for an agent: which of them its model takes, and how they are made ready to be sent.

import type { AttachmentAdapter, PendingAttachment } from '@assistant-ui/react';

export function takesFiles(takes: readonly string[] | undefined): AttachmentAdapter | undefined {
  if (!takes) return undefined;
  return {
    accept: [...takes, ...(takes.includes('text/*') ? plainTexts : [])].join(','),
    add: async ({ file }) => {
      if (file.size === 0) throw new EmptyFile(file);
      return {
        id: crypto.randomUUID?.() ?? `${file.name}-${performance.now()}`,
        type: file.type.startsWith('image/') ? 'image' : 'document',
        name: file.name,
        contentType: typeOf(file),
        file,
        status: { type: 'requires-action', reason: 'composer-send' },
      };
    },
    remove: async () => {},
    send: async (pending: PendingAttachment) => {
      const { file, name: filename } = pending;
      const part = { type: 'file' as const, mimeType: typeOf(file), data: await toBase64(file), filename };
      return { ...pending, status: { type: 'complete' }, content: [part] };
    },
  };
}

/** Told beside the files that are taken. */
class EmptyFile extends Error {
  constructor({ name }: File) {
    super(`${name} is empty.`);
  }
}

/** Kinds of file for people: `images, PDF and text`. */
export function wordsOf(takes: readonly string[]): string {
  const words = takes.map((type) => kinds[type] ?? type);
  return words.length < 2 ? (words[0] ?? 'none') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

const kinds: Readonly<Record<string, string>> = {
  'image/*': 'images',
  'audio/*': 'sound',
  'video/*': 'video',
  'text/*': 'text',
  'text/plain': 'text',
  'application/pdf': 'PDF',
};

/** Browsers do not know the type of many a text. */
const plainTexts = ['.txt', '.md', '.csv', '.json', '.yaml', '.yml', '.toml', '.log', '.ts', '.js', '.py', '.ai'];

function typeOf({ type, name }: File): string {
  const known = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isText = plainTexts.some((ending) => name.toLowerCase().endsWith(ending));
  return isText && !known.startsWith('text/') ? 'text/plain' : known || 'application/octet-stream';
}

function toBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
