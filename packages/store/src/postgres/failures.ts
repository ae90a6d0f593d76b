// What goes wrong with a PostgreSQL database, in words and codes: where it is, what it said, and what to do.

import { AgentError } from '@ai-agent/core';
import type { StoreCode, StoreFailure } from '../ask.ts';

/** Whether the connection is gone: what was asked may be asked again on another. */
export function isConnectionLost(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  // Who has waited for long does not wait again.
  return !slow.test(message) && (lost.test(code) || lostWords.test(message));
}

/** Whether another transaction was in the way: the same may pass when it is done again. */
export function isInTheWay(error: unknown): boolean {
  return /^40/.test(codeOf(error));
}

/** Whether it is about the data of one thing that was asked, and says nothing of others. */
export function isAboutData(error: unknown): boolean {
  return /^(?:22|23|54)/.test(codeOf(error));
}

/** One of ours stays as it is. */
export function toStoreError(error: unknown, place: string): AgentError {
  if (error instanceof AgentError) return error;
  const said = error instanceof Error && error.message ? error.message : codeOf(error) || String(error);
  const { code, words, remedy } = kinds.find(({ is }) => is(codeOf(error), said)) ?? other;
  const message = `${words.replace('{place}', place)} (${withoutEnd(said)}).`;
  return new AgentError(code, message, { cause: error, ...(remedy === undefined ? {} : { remedy }) });
}

/** The same, for one answer of many. */
export function toStoreFailure(error: unknown, place: string): StoreFailure {
  const { code, message, remedy, retryable } = toStoreError(error, place);
  return { code: code as StoreCode, message, remedy, isPassing: retryable };
}

interface Kind {
  readonly is: (code: string, said: string) => boolean;
  readonly code: StoreCode;
  readonly words: string;
  /** @default that of the code */
  readonly remedy?: string;
}

const lost = /^(?:08...|57P0[1-3]|E(?:CONN|PIPE|TIMEDOUT|HOST|NET)\w*)$/;
const lostWords =
  /Connection terminated|Client has encountered a connection error|Client was closed|not queryable|socket hang up/i;
const slow = /timeout|timed out/i;
const tls = /certificate|self.signed|SSL|TLS|ERR_TLS|CERT|EPROTO|ENOENT.*, open /i;

const kinds: readonly Kind[] = [
  {
    is: (_code, said) => /password must be a string|no password supplied|empty password/i.test(said),
    code: 'store-unreachable',
    words: 'The database {place} wants a password, and there is none',
    remedy: 'Write it into the address of the store, postgres://user:password@host/database, or set PGPASSWORD.',
  },
  {
    is: (code, said) => code === '28P01' || /SASL/i.test(said),
    code: 'store-unreachable',
    words: 'The database {place} refuses the user or the password',
    remedy:
      'Correct the user and the password in the address of the store; signs like @ and / are written %40 and %2F.',
  },
  {
    is: (code) => code === '3D000',
    code: 'store-unreachable',
    words: 'There is no such database: {place}',
    remedy: 'Create it (createdb), or correct the name at the end of the address of the store.',
  },
  {
    is: (_code, said) => /server does not support SSL/i.test(said),
    code: 'store-unreachable',
    words: 'The database {place} has no TLS',
    remedy: 'Turn it on at the database (ssl = on), or say sslmode=disable in the address where the way there is safe.',
  },
  {
    is: (_code, said) => /no PostgreSQL user name/i.test(said),
    code: 'store-unreachable',
    words: 'The address of the database {place} names no user',
    remedy: 'Write the user into the address of the store, postgres://user@host/database, or set PGUSER.',
  },
  {
    is: (code, said) => tls.test(code) || tls.test(said),
    code: 'store-unreachable',
    words: 'No secure connection to the database {place}',
    remedy:
      'Add sslmode to the address of the store: require, or verify-full with sslrootcert=<file> for a certificate of your own, or disable where the database has none.',
  },
  {
    is: (code) => code.startsWith('28'),
    code: 'store-unreachable',
    words: 'The database {place} does not let this user in',
    remedy:
      'Create the user, or allow it to connect from here in pg_hba.conf; where the database wants TLS, add sslmode=require to the address.',
  },
  {
    is: (code) => code === 'ENOTFOUND' || code === 'EAI_AGAIN',
    code: 'store-unreachable',
    words: 'Nobody knows the host of the database {place}',
    remedy: 'Correct the host in the address of the store.',
  },
  {
    is: (code) => code === 'ECONNREFUSED' || code === 'ENOENT',
    code: 'store-unreachable',
    words: 'No database listens at {place}',
    remedy: 'Start the database, or correct the host and the port in the address of the store.',
  },
  {
    is: (code) => code === '53300',
    code: 'store-unreachable',
    words: 'The database {place} has no connection left',
    remedy: 'Raise max_connections of the database: each process of ours takes up to 5.',
  },
  {
    is: (code, said) => lost.test(code) || lostWords.test(said) || slow.test(said) || code === '57014',
    code: 'store-unreachable',
    words: 'The database {place} does not answer',
  },
  {
    is: (code) => code === '42501' || code === '25006',
    code: 'store-read-only',
    words: 'The database {place} cannot be written to',
    remedy:
      'Allow the user to write to the schema (and to create it: GRANT CREATE ON DATABASE), or name a database that is no copy.',
  },
  {
    is: (code) => code === '53100' || code === '53200',
    code: 'store-full',
    words: 'The database {place} has no room',
    remedy: 'Make room on the disk of the database server; deleting sessions needs some room too.',
  },
  {
    is: (code) => code === 'XX001' || code === 'XX002',
    code: 'store-damaged',
    words: 'The database {place} is damaged',
    remedy: 'Bring back a copy of the database, or name another place (--store of the command).',
  },
];

const other: Kind = { is: () => true, code: 'store-failed', words: 'The database {place} has failed' };

function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: readonly unknown[] };
  if (typeof code === 'string') return code;
  // A name with several addresses fails with as many errors.
  return errors?.[0] === undefined ? '' : codeOf(errors[0]);
}

function withoutEnd(said: string): string {
  return said.replace(/\.\s*$/, '');
}
