// What a person asked: in a quiet box at the right, with the files that came along.

import { MessagePrimitive } from '@assistant-ui/react';
import styles from './asked-message.module.css';
import { SentFile } from './sent-file.tsx';
import { useEntry } from './to-thread-message.ts';

export function AskedMessage() {
  const entry = useEntry();
  const asked = entry.role === 'user' ? entry : undefined;
  return (
    <>
      {asked?.files.map((file, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was sent never changes its order
        <SentFile key={i} file={file} place={i} {...(asked.round ? { round: asked.round } : {})} />
      ))}
      {asked?.text === '' ? null : (
        <div className={styles.box}>
          <MessagePrimitive.Parts components={{ Text }} />
        </div>
      )}
    </>
  );
}

function Text({ text }: { readonly text: string }) {
  const value = toObject(text);
  if (!value) return text;
  return (
    <dl className={styles.fields}>
      {Object.entries(value).map(([name, field]) => (
        <div key={name} className={styles.field}>
          <dt>{name}</dt>
          <dd>{linesOf(field).join('\n')}</dd>
        </div>
      ))}
    </dl>
  );
}

/** `key: value` line by line, what is inside of something set in. */
function linesOf(value: unknown): readonly string[] {
  if (value === null || typeof value !== 'object') return String(value ?? 'none').split('\n');
  if (Array.isArray(value) && value.every((item) => item === null || typeof item !== 'object'))
    return [value.length === 0 ? 'none' : value.map((item) => String(item ?? 'none')).join(', ')];
  const named = Array.isArray(value) ? value.map((item, i) => [i + 1, item] as const) : Object.entries(value);
  if (named.length === 0) return ['none'];
  return named.flatMap(([name, item]) => {
    const [first = '', ...more] = linesOf(item);
    const isPlain = more.length === 0 && !isNested(item);
    return isPlain ? [`${name}: ${first}`] : [`${name}:`, ...[first, ...more].map((line) => `  ${line}`)];
  });
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What was filled in is shown as fields, not as the JSON that it was sent as. */
function toObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
