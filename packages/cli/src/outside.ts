// Tools from outside for sessions of this process: what its servers get of the process, and how a person is shown a page.

import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  createToolset,
  fileTokenStore,
  Queues,
  type Surroundings,
  type TokenStore,
  type Toolset,
} from '@ai-agent/tools';
import { systemClock } from './platform.ts';
import { version } from './version.ts';

export interface OutsideOptions extends Pick<Surroundings, 'onTraffic' | 'openPage'> {
  /** How many servers are started at once, asked when one is. @default all */
  readonly startsAtOnce?: () => number | undefined;
  readonly cwd: string;
  /** The home of the user: what servers gave us to come back with is kept in `.ai-agent` there. @default in memory alone */
  readonly homeFolder?: string | undefined;
}

/** Of the whole process, whoever asks: a service does not bear more because there are two folders. */
const queues = new Queues(systemClock);

export function openOutside({ homeFolder, startsAtOnce, ...given }: OutsideOptions): Toolset {
  const tokens = homeFolder === undefined ? {} : { tokens: openTokens(homeFolder) };
  return createToolset({
    ...given,
    ...tokens,
    get startsAtOnce() {
      return startsAtOnce?.() ?? Number.POSITIVE_INFINITY;
    },
    clock: systemClock,
    queues,
    serverEnv: serverEnv(),
    version,
  });
}

/** What servers gave us to come back with, in the home of the user. */
export function openTokens(homeFolder = homedir()): TokenStore {
  return fileTokenStore({ folder: join(homeFolder, '.ai-agent', 'tokens') });
}

/** What a program needs to be found, and to know whose it is and whom to trust; never a key. */
const passedOn = [
  ...['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'],
  ...['CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'SSL_CERT_DIR', 'SSL_CERT_FILE'],
];
const passedOnByWindows = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'USERNAME',
  'USERPROFILE',
];

function serverEnv(): Readonly<Record<string, string>> {
  const names = process.platform === 'win32' ? [...passedOn, ...passedOnByWindows] : passedOn;
  const set = names.flatMap((name) => {
    const value = process.env[name];
    // A function that a shell passed on is code.
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const];
  });
  return Object.freeze(Object.fromEntries(set));
}

/** Opens a page in the browser: `$BROWSER`, or what the system has. Rejects when there is none. */
export function openPage(url: string): Promise<void> {
  const [command, ...words] = browser();
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...words, url], { stdio: 'ignore', detached: true });
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}

function browser(): readonly [string, ...string[]] {
  const [wanted, ...words] = process.env.BROWSER?.trim().split(/\s+/) ?? [];
  if (wanted) return [wanted, ...words];
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
