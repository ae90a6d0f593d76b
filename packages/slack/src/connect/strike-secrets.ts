// Nothing that Slack is told may show a secret: our own tokens, and whatever has the shape of a key.

import { withoutKeys } from '@ai-agent/core';

/** Arguments that people see; the rest are ids and switches. */
const shown: ReadonlySet<string> = new Set([
  'text',
  'blocks',
  'attachments',
  'markdown_text',
  'chunks',
  'view',
  'title',
  'initial_comment',
]);

type Arguments = Readonly<Record<string, unknown>>;

export function secretStriker(secrets: readonly (string | undefined)[]): (args: Arguments) => Arguments {
  const known = secrets.filter(isSecret);
  const strike = (value: unknown): unknown => {
    if (typeof value === 'string') return withoutKeys(known.reduce((text, one) => text.replaceAll(one, '***'), value));
    if (Array.isArray(value)) return value.map(strike);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, isAddressed(key) ? one : strike(one)] as const),
    );
  };
  return (args) =>
    Object.fromEntries(Object.entries(args).map(([key, value]) => [key, shown.has(key) ? strike(value) : value]));
}

/** How much of a text that goes on is not the beginning of a secret. */
export function secretHolder(secrets: readonly (string | undefined)[]): (text: string) => number {
  const known = secrets.filter(isSecret);
  return (text) => Math.min(text.length, ...known.map((secret) => beginningOf(secret, text)));
}

function beginningOf(secret: string, text: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length--)
    if (text.endsWith(secret.slice(0, length))) return text.length - length;
  return text.length;
}

function isSecret(secret: string | undefined): secret is string {
  return secret !== undefined && secret.length >= 8;
}

/** By these Slack tells us what was pressed: they are our own, and long. */
function isAddressed(key: string): boolean {
  return key === 'value' || key === 'action_id' || key === 'block_id' || key === 'private_metadata';
}
