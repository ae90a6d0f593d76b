// The models of Gemini, page by page.

import { isObject } from '@ai-agent/core';
import { type Directory, listPages, namesIn, type ReadPage } from '../../probe/directory.ts';
import { headersTo } from './google-fetch.ts';

export const googleModels: Directory = {
  headers: headersTo,
  list: (ask) => listPages(ask, readPage, { pageSize: '1000' }),
  has: (names, model) => names.includes(withoutPrefix(model)),
  pathOf: (model) => `/models/${withoutPrefix(model)}`,
};

const readPage: ReadPage = (answer) => {
  const { models, nextPageToken: token } = isObject(answer) ? answer : ({} as Record<string, unknown>);
  const next = typeof token === 'string' && token !== '' ? { pageToken: token } : undefined;
  return { found: namesIn(models, 'name')?.map(withoutPrefix), next };
};

function withoutPrefix(name: string): string {
  return name.replace(/^models\//, '');
}
