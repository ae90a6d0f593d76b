// The models of Anthropic, page by page. Aliases are in no list, and are described under their own name.

import { isObject } from '@ai-agent/core';
import { type Directory, listPages, namesIn, type ReadPage } from '../../probe/directory.ts';
import { headersTo } from './request-headers.ts';

export const anthropicModels: Directory = {
  headers: headersTo,
  list: (ask) => listPages(ask, readPage, { limit: '1000' }),
  has: (names, model) => names.includes(model),
  pathOf: (model) => `/models/${encodeURIComponent(model)}`,
};

const readPage: ReadPage = (answer) => {
  const { data, has_more: hasMore, last_id: lastId } = isObject(answer) ? answer : ({} as Record<string, unknown>);
  const next = hasMore === true && typeof lastId === 'string' ? { after_id: lastId } : undefined;
  return { found: namesIn(data, 'id'), next };
};
