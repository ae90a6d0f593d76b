// The promise: whatever stands in any place of a request to an agent that is taken for a model, the reply is an answer, or a refusal in
// the shape of the API: never a crash, a hang, a status of the server, or anything of the inside.

import { expect, test } from 'vitest';
import { fuzzHouse } from './support/fuzz-house.ts';
import { type OddTalk, oddTalks } from './support/fuzz-talks.ts';

test('everything odd in every place where it fits', { timeout: 240_000 }, async () => {
  const { app, hall, bugs } = fuzzHouse();
  const faults = new Set<string>();
  const statuses = new Set<number>();
  for (const talk of oddTalks()) {
    const response = await app.request(talk.path, { method: 'POST', body: talk.body });
    const text = await response.text();
    statuses.add(response.status);
    for (const fault of faultsIn(talk, response.status, text)) faults.add(`${talk.path} ${talk.change}: ${fault}`);
    for (const bug of bugs.splice(0)) faults.add(`${talk.path} ${talk.change}: a bug: ${(bug as Error).stack}`);
  }
  expect([...faults].slice(0, 20)).toEqual([]);
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404]));
  expect('polluted' in {}).toBe(false);
  expect(hall.running).toBe(0);
});

function* faultsIn({ path }: OddTalk, status: number, text: string): Iterable<string> {
  // A schema that its answer cannot keep is one of the odd things.
  if (status >= 500 && !text.includes('"code":"output-invalid"'))
    yield `${status} for something that came from outside: ${text.slice(0, 300)}`;
  if (/"class":"(?:bug|config)","code"/.test(text)) yield `it is told as a fault of ours: ${text.slice(-400)}`;
  if (status < 400) return;
  const { type, error } = JSON.parse(text);
  const isOfAnthropic = path.startsWith('/v1/messages');
  if (isOfAnthropic && type !== 'error') yield `it has another shape: ${text}`;
  if (typeof error.type !== 'string' || typeof error.message !== 'string') yield `it has another shape: ${text}`;
  if (!isOfAnthropic && (error.param === undefined || error.code === undefined)) yield `it has another shape: ${text}`;
}
