// A run with questions, long results and kept children, cut off anywhere and walked again, comes to the same end.

import {
  type Agent,
  asTool,
  defineTool,
  inProcess,
  journaled,
  MemoryJournal,
  MemoryOutputs,
  MemoryPauses,
  type Question,
} from '@ai-agent/core';
import { FakeClock, fakePorts, scriptedModel, strict } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { nextTick, walk } from './support/walk.ts';

type Request = Parameters<ReturnType<typeof scriptedModel>['call']>[0];

function textsIn({ messages }: Request): readonly string[] {
  const last = messages.at(-1);
  return last?.role === 'tool' ? last.content.map(({ text }) => text) : [];
}

/** What outlives a process: its journal, and the stores that were handed in. */
function storage() {
  return { journal: new MemoryJournal(), pauses: new MemoryPauses(), outputs: new MemoryOutputs() };
}

/** A lead whose children ask it, ask a person, wait for leave, remember, and say too much. */
function plant() {
  const performed: string[] = [];
  const did = <T>(name: string, value: T): T => {
    performed.push(name);
    return value;
  };
  const drop = defineTool({
    name: 'drop',
    inputSchema: { type: 'object' },
    needsApproval: true,
    execute: () => did('drop', 'dropped'),
  });
  const big = defineTool({
    name: 'big',
    inputSchema: { type: 'object' },
    execute: () => did('big', `${'x'.repeat(20_000)}end`),
  });
  const child = (name: string, call: object, more: Partial<Agent>): Agent => ({
    name,
    description: 'd',
    instructions: 'i',
    ...more,
    model: scriptedModel((request) => {
      const [result] = textsIn(request);
      return did(name, result === undefined ? { calls: [call as never] } : { text: `${name} heard ${result}` });
    }),
  });
  const question = { name: 'ask_user', input: { question: 'Which?' } };
  const curious = child('curious', question, { ask: 'caller' });
  const careful = child('careful', question, { ask: 'person' });
  const admin = child('admin', { name: 'drop' }, { tools: [drop] });
  const keeper: Agent = {
    name: 'keeper',
    description: 'd',
    instructions: 'i',
    hold: 'kept',
    model: scriptedModel(({ messages }) => did('keeper', `kept ${messages.length}`)),
  };
  const call = (name: string, input: object = {}) => ({ name, input: { text: 'go', reason: 'r', ...input } });
  const lead: Agent = {
    name: 'lead',
    instructions: 'i',
    tools: [asTool(curious), asTool(careful), asTool(admin), asTool(keeper), big],
    model: scriptedModel((request) => {
      const texts = textsIn(request).join('\n');
      const resume = /"resume": "([^"]+)"/.exec(texts)?.[1];
      const handle = /kept as "([^"]+)"/.exec(texts)?.[1];
      if (texts === '')
        return did('lead', {
          calls: [call('curious'), call('careful'), call('admin'), call('keeper'), { name: 'big' }],
        });
      if (resume && handle)
        return did('lead', {
          calls: [
            call('curious', { resume, answer: 'this' }),
            call('keeper'),
            { name: 'tool_output', input: { handle, from: 20_000 } },
          ],
        });
      return did('lead', texts);
    }),
  };
  return { lead, performed };
}

async function runOnce(stores: ReturnType<typeof storage>, options: object = {}, prompt = 'go') {
  const { lead, performed } = plant();
  const { journal, pauses, outputs } = stores;
  const runtime = strict(journaled(inProcess, journal), { nextTick });
  const ports = fakePorts({ clock: new FakeClock(), pauses, outputs });
  const { outcome } = await walk(lead, prompt, { ports, runtime, ...options });
  const { status, text, usage, conversations } = outcome;
  const resume = outcome.status === 'needs_user_input' ? outcome.resume : '';
  const end = { status, text, usage };
  return { performed, status, text, resume, end, all: JSON.stringify({ ...end, conversations }) };
}

/** The journal as a process left it that died after so many of its operations. */
const cut = ({ journal, ...stores }: ReturnType<typeof storage>, count: number) => ({
  ...stores,
  journal: new MemoryJournal([...journal.entries].slice(0, count)),
});

describe('with somebody there to answer', () => {
  const answering = () => {
    const asked: Question[] = [];
    const onQuestion = (question: Question) => {
      asked.push(question);
      return question.type === 'approval' ? true : 'that';
    };
    return { asked, onQuestion };
  };

  test('a replay performs nothing and asks nobody', async () => {
    const stores = storage();
    const first = answering();
    const whole = await runOnce(stores, { sessionId: 'run', onQuestion: first.onQuestion });
    expect(whole.status).toBe('completed');
    expect(whole.text).toBe(
      'curious heard this\nkept 3\nend\n\n[Characters 20000 to 20003 of 20003; this is the end.]',
    );
    expect(first.asked).toHaveLength(2);
    const second = answering();
    const again = await runOnce(cut(stores, Number.POSITIVE_INFINITY), {
      sessionId: 'run',
      onQuestion: second.onQuestion,
    });
    expect(again.all).toBe(whole.all);
    expect([again.performed, second.asked]).toEqual([[], []]);
  });

  test('cut off after any operation, the rest is done and nothing twice', async () => {
    const whole = storage();
    const { end, performed } = await runOnce(whole, { sessionId: 'run', onQuestion: answering().onQuestion });
    const size = whole.journal.entries.size;
    expect(size).toBeGreaterThan(15);
    for (let count = 0; count <= size; count++) {
      // What was put into the stores before the end is there: each process has its own life up to there.
      const stores = cut(whole, count);
      const resumed = await runOnce(stores, { sessionId: 'run', onQuestion: answering().onQuestion });
      expect([count, resumed.end]).toEqual([count, end]);
      const isWork = (key: string) => /\.model$|^run\/turn\.1\.tool\.5$|^run~1\.3\/turn\.1\.tool\.1$/.test(key);
      const known = [...whole.journal.entries.keys()].slice(0, count).filter(isWork);
      expect(resumed.performed).toHaveLength(performed.length - known.length);
    }
  });
});

describe('with nobody there', () => {
  test('each question ends the run, and a replay of any of them ends with the same question', async () => {
    const stores = storage();
    const ids = ['a', 'b', 'c'];
    let resume = '';
    const runs: string[] = [];
    const answers = ['go', 'that', 'yes'];
    for (const [i, sessionId] of ids.entries()) {
      const options = { sessionId, ...(resume ? { resume } : {}) };
      const run = await runOnce(stores, options, answers[i]);
      expect(run.status).toBe(i < 2 ? 'needs_user_input' : 'completed');
      runs.push(run.all);
      const again = await runOnce({ ...storage(), journal: stores.journal }, options, answers[i]);
      expect(again.all).toBe(run.all);
      expect(again.performed).toEqual([]);
      resume = run.resume;
    }
    expect(runs[2]).toContain('curious heard this');
  });
});
