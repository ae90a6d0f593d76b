// The keys of a server in a configuration: who may call what, and how much. What was found is never shown: it may be a key itself.

import { complain, type Given, type Kind } from '../options/kind.ts';
import { choice, decimal, duration, names, toNames, whole } from '../options/kinds.ts';
import { shape, toPart } from '../options/shape.ts';
import { orVariable } from './config-kinds.ts';
import { variablesIn } from './variables.ts';

const open = (fields: Readonly<Record<string, Kind>>) =>
  shape(Object.fromEntries(Object.entries(fields).map(([key, kind]) => [key, orVariable(kind)])));

const hashForm = /^sha256:[\da-f]{64}$/i;

const hash: Kind<string> = {
  allowed: 'sha256: and the 64 hexadecimal digits of the hash of a key',
  read(given) {
    const { value } = given.at;
    if (typeof value === 'string' && (hashForm.test(value) || variablesIn(value).length > 0)) return value;
    return complain(given, `must be ${this.allowed}; "ai-agent key <name>" makes a key and writes it`);
  },
};

const globs: Kind<readonly string[]> = {
  allowed: names.allowed,
  read(given) {
    const read = names.read(given);
    return read?.length === 0 ? complain(given, 'is empty; name at least one agent, or leave it out for all') : read;
  },
};

/** Of pages in which a key may stand: never all of them. */
const exactOrigins: Kind<readonly string[]> = {
  allowed: 'a list of origins such as https://www.example.com, at least one',
  read(given) {
    const read = names.read(given);
    if (!read) return read;
    const isFit = read.every((origin) => variablesIn(origin).length > 0 || isOrigin(origin));
    return isFit && read.length > 0 ? read : complain(given, `must be ${this.allowed}`);
  },
};

const allowanceFields = open({ tokens: whole(1), costUsd: decimal(0.000001), per: choice('hour', 'day', 'month') });

const allowance: Kind = {
  allowed: 'an object with per (hour, day or month), and tokens, costUsd or both',
  read(given) {
    const { fields } = given.at;
    if (!fields) return complain(given, `must be ${this.allowed}`);
    if (!fields.has('per')) complain(given, 'has no per; must be one of hour, day, month');
    if (!fields.has('tokens') && !fields.has('costUsd'))
      complain(given, 'bounds nothing; name tokens, costUsd or both');
    return allowanceFields.read(given);
  },
};

const boundFields = {
  budget: open({
    ...{ tokens: whole(0), costUsd: decimal(0), time: duration, timeMs: duration },
    ...{ turns: whole(0), toolCalls: whole(0), descendants: whole(0) },
  }),
  allowance,
  requestsPerMinute: whole(1),
  concurrency: whole(1),
};

/** What somebody may who has no key of their own. */
export const bounds = open(boundFields);

/** Unknown parts are errors here: a word that is spelt wrong would leave a key unbounded. */
export const keyFields = open({ hash, agents: globs, ...boundFields, origins: exactOrigins });

const nameForm = /^(?!__proto__$)[\w.-]{1,64}$/;

/** Whatever is wrong with one of them is an error: a server must not start with fewer keys than somebody wrote. */
export const apiKeys: Kind = {
  allowed: 'an object of keys by name, each with its hash',
  read(given) {
    const { fields } = given.at;
    if (!fields) return complain(given, `must be ${this.allowed}`);
    if (fields.size === 0) return complain(given, 'is empty, and would let nobody in; add a key, or leave it out');
    const read: Record<string, unknown> = {};
    const holders = new Map<string, string>();
    for (const [name, field] of fields) {
      const part = toPart(given, name, field);
      if (!nameForm.test(name)) complain(part, 'the name must be 1 to 64 letters, digits, _, . and - alone');
      const key = readKey(part);
      if (!key) continue;
      const same = holders.get(key.hash);
      if (same !== undefined) complain(part, `has the same hash as ${same}; each key has one name`);
      holders.set(key.hash, name);
      read[name] = key;
    }
    return read;
  },
};

function readKey(given: Given): { readonly hash: string } | undefined {
  const { fields } = given.at;
  if (!fields) return complain(given, 'must be an object with the hash of the key, and what it may do');
  if (!fields.has('hash')) complain(given, 'has no hash; "ai-agent key <name>" makes a key and writes it');
  const missing = fields.has('origins') ? ['agents', 'requestsPerMinute'].filter((field) => !fields.has(field)) : [];
  if (missing.length > 0)
    complain(given, `has origins, so that it may stand in pages, and needs ${missing.join(' and ')} too`);
  const read = keyFields.read(given) as { hash?: string } | undefined;
  return read?.hash === undefined ? undefined : { ...read, hash: read.hash.toLowerCase() };
}

/** Keys themselves, as older configurations have them. */
export const bearerKeys: Kind<readonly string[]> = {
  allowed: 'a list of keys',
  read(given) {
    const { value, items } = given.at;
    const texts = items ? items.map((item) => item.value) : [value];
    if (texts.some((text) => typeof text !== 'string')) return complain(given, `must be ${this.allowed}, each a text`);
    const keys = [...new Set((texts as string[]).flatMap(toNames))];
    if (keys.length === 0) return complain(given, 'is empty, and would let nobody in; add a key, or leave it out');
    // Where only their variables stand, whoever reads the file learns nothing.
    if (keys.some((key) => variablesIn(key).length === 0))
      given.problems.add('warning', {
        code: 'config-invalid',
        place: given.place,
        message: 'holds keys that whoever reads this file can use',
        remedy: 'Put their hashes into api.keys instead: "ai-agent key <name>" makes a key and writes its entry.',
      });
    return keys;
  },
};

/** Exact, as browsers say them. */
export const origins: Kind<readonly string[]> = {
  allowed: 'a list of origins such as https://app.example, or * for all where there are keys',
  read(given) {
    const read = names.read(given);
    const odd = read?.find((origin) => origin !== '*' && variablesIn(origin).length === 0 && !isOrigin(origin));
    if (odd === undefined) return read;
    return complain(given, `found ${JSON.stringify(odd.slice(0, 60))}; must be ${this.allowed}`);
  },
};

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text.toLowerCase();
}
