// The promise: a file whose place cannot be reached is tried some times, and then the thread is told: it shuts nobody out, and is not tried for ever.

import { expect, test } from 'vitest';
import { deliver, type Shown } from '../src/run/deliver.ts';
import type { Told } from '../src/run/run-notes.ts';
import type { Surroundings } from '../src/surroundings.ts';

const words = { text: 'The beginning.', blocks: [] };
const files = [{ name: 'answer.md', text: 'All of it.' }];
const ending = { messages: [words], files, allFiles: files };

function open(uploadUrl: unknown) {
  const posts: string[] = [];
  const failures: string[] = [];
  const api = {
    strike: (text: string) => text,
    call: async (method: string, { text }: Readonly<Record<string, unknown>>) => {
      if (method === 'chat.postMessage') posts.push(String(text));
      return { ok: true, ts: `${posts.length}.0`, upload_url: uploadUrl, file_id: 'F1' };
    },
  };
  const log = { fail: (sentence: string) => failures.push(sentence), detail: () => {} };
  const around = { api, log } as unknown as Surroundings;
  const told: Told[] = [];
  const tell = (more: Partial<Shown>) => {
    const onTold = async (one: Told) => void told.push(one);
    const thread = { team: 'T', channel: 'C', ts: '1.0' };
    return deliver(
      around,
      { thread, statusTs: '0.5', streamTs: undefined, isNews: true, told: told.at(-1), onTold, ...more },
      ending,
    );
  };
  return { posts, failures, told, tell };
}

test('it is for later, and at the last try it is said', async () => {
  // Nobody listens there.
  const { posts, failures, told, tell } = open('http://127.0.0.1:1/upload');
  await expect(tell({})).rejects.toMatchObject({ word: 'unreachable' });
  expect(posts).toEqual(['The beginning.']);
  expect(told.at(-1)).toMatchObject({ messages: ['1.0'], files: 0 });
  await tell({ isLastTry: true });
  expect(posts.slice(1)).toEqual([expect.stringContaining('Slack did not take the file answer.md')]);
  expect(failures).toHaveLength(1);
  expect(told.at(-1)).toMatchObject({ files: 1 });
});

test('where Slack names no place for it, it is said at once', async () => {
  const { posts, tell } = open(undefined);
  await tell({});
  expect(posts.at(-1)).toContain('no_upload_url');
});
