// The kinds of value that only agents have: contracts, how children are held, reasoning, caches.

import type { JsonSchema } from '@ai-agent/core';
import { parseYaml } from '../parse-yaml.ts';
import { complain, type Given, type Kind, scalar, show, wrong } from './kind.ts';
import { choice, decimal, isTrue, names, text, toMs, toWord, whole } from './kinds.ts';
import { shape, toPart } from './shape.ts';

export interface ContractGiven {
  readonly format?: 'text' | 'json' | 'markdown';
  readonly schema?: JsonSchema;
  /** Where the schema is, relative to the file. */
  readonly schemaRef?: string;
}

export function contract(...formats: readonly NonNullable<ContractGiven['format']>[]): Kind<ContractGiven> {
  return shape({ format: choice(...formats), schema, schemaRef: text }) as Kind<ContractGiven>;
}

/** An object, or a text that holds one as JSON or YAML. */
export const schema: Kind<JsonSchema> = {
  allowed: 'a JSON Schema: an object, or text that holds one as JSON or YAML',
  read(given) {
    const value = typeof given.at.value === 'string' ? parseText(given.at.value) : given.at.value;
    return isSchema(value) ? value : wrong(given, this.allowed);
  },
};

function parseText(source: string): unknown {
  const parsed = parseYaml(source);
  return 'root' in parsed ? parsed.root.value : undefined;
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Hold = 'fresh' | 'kept' | { readonly pool: number };

/** `pool:4` is how a flag says it. */
export const hold: Kind<Hold> = {
  allowed: 'fresh, kept, or { pool: a whole number from 1 }',
  read(given) {
    const { value } = given.at;
    if (value === 'fresh' || value === 'kept') return value;
    const [, size] = /^pool:\s*(\d+)$/.exec(typeof value === 'string' ? value : '') ?? [];
    const pool = whole(1).parse(size ?? (isSchema(value) && Object.keys(value).length === 1 ? value.pool : undefined));
    if (pool !== undefined) return { pool };
    return complain(given, `found ${JSON.stringify(value)?.slice(0, 60)}; must be ${this.allowed}`);
  },
};

/** Servers, REST tools, `openapi:spec`, single tools and globs; `!` in front takes away. */
export const toolNames: Kind<readonly string[]> = {
  allowed: 'a list of names or globs, such as github, github__get_*, !github__delete_*, openapi:crm',
  read(given: Given) {
    const read = names.read(given);
    const odd = read?.find((name) => !/^!?(?:openapi:)?[\w*?.-]+$/.test(name));
    if (odd === undefined) return read;
    return wrong({ ...given, at: { ...given.at, value: odd } }, this.allowed);
  },
};

/** As the model sees them, or whole: a pattern that fits no name would deny nothing, and nobody would notice. */
const offeredNames: Kind<readonly string[]> = {
  allowed: 'a list of tools by the names its model sees, or globs, such as github__get_issue, agent__*',
  read(given: Given) {
    const read = names.read(given);
    const odd = read?.find((name) => !/^[\p{L}\p{M}\p{N}_.*?-]+$/u.test(name));
    if (odd === undefined) return read;
    return wrong({ ...given, at: { ...given.at, value: odd } }, this.allowed);
  },
};

export const permissions = shape({ allow: offeredNames, ask: offeredNames, deny: offeredNames });

export const router: Kind<{ readonly destinations: readonly string[] }> = {
  allowed: 'an object with destinations: at least one path',
  read(given) {
    const { value, fields } = given.at;
    if (!fields) return complain(given, `found ${show(value)}; ${toRouterWritten(value)}`);
    const read = shape({ destinations: names }).read(given) as { destinations?: readonly string[] };
    const { destinations } = read;
    if (destinations && destinations.length > 0) return { destinations };
    const field = fields.get('destinations');
    if (destinations && field)
      return complain(toPart(given, 'destinations', field), 'is empty; name at least one path');
    // Any key that it has is wrong, and that was told.
    return fields.size > 0 ? undefined : complain(given, `has no destinations; must be ${this.allowed}`);
  },
};

/** What was probably meant by a path or a list of them, as it should be written. */
function toRouterWritten(value: unknown): string {
  const paths = (Array.isArray(value) ? value : [value]).filter((path) => typeof path === 'string');
  const list = paths.length > 0 && paths.join(', ').length <= 60 ? paths.join(', ') : 'a.ai, b.ai';
  return `write router: { destinations: [${list}] }`;
}

/** Of long results: here, and in the configuration. */
export const toolOutputValues = {
  enabled: isTrue,
  maxChunks: whole(1),
  overlapPercent: decimal(0, 50),
  avgLineBytesThreshold: whole(1),
};

export const toolOutput = shape({ ...toolOutputValues, models: names, storeDir: text });

/** Milliseconds, or 'off', which no time at all is too. */
export const cache = scalar('off, or a time such as 10m or 1d', (value) =>
  value === false || ['off', '0'].includes(toWord(value)) ? ('off' as const) : toMs(value),
);

const reasoningWords: Readonly<Record<string, string>> = {
  none: 'none',
  unset: 'none',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  default: 'default',
  inherit: 'default',
  '': 'default',
};

export const reasoning = scalar(
  'one of none, minimal, low, medium, high, or default to leave it to the provider',
  (value) => {
    const word = toWord(value);
    return typeof value !== 'object' && Object.hasOwn(reasoningWords, word) ? reasoningWords[word] : undefined;
  },
);

/** A budget of tokens; 0 for none. */
export const reasoningTokens = scalar('a whole number of tokens, or one of 0, off, none, disabled', (value) =>
  ['off', 'none', 'disabled'].includes(toWord(value)) ? 0 : whole(0).parse(value),
);
