// The browser of this machine, without a window.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

export const missing =
  'No Chromium is installed here, so the page is not tried: apt-get install chromium brings it, or CHROMIUM names one.';

/** Nothing where there is none. */
export async function launchChromium(): Promise<Browser | undefined> {
  const executablePath = findChromium();
  return executablePath === undefined ? undefined : chromium.launch({ executablePath, args: flags });
}

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function findChromium(): string | undefined {
  const named = process.env.CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = ['chromium', 'chromium-browser', 'google-chrome'].flatMap((name) =>
    folders.map((folder) => join(folder, name)),
  );
  return [...(named === undefined ? [] : [named]), '/usr/bin/chromium', ...candidates].find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
