// A session with partners, cut off anywhere or ended by a question of one of them, goes on and comes to the same end.

import { type Agent, asPartner, asTool, inProcess, journaled, MemoryJournal, MemoryPauses } from '@ai-agent/core';
import { FakeClock, fakePorts, scriptedModel, strict } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agent, nextTick, walk } from './support/walk.ts';

/** Whoever asks is answered by a person: an advisor, a destination and the next of a chain all ask once. */
function plant(asking: readonly string[]) {
  const performed: string[] = [];
  const curious = (name: string, more: Partial<Agent> = {}): Agent => ({
    name,
    description: `does ${name}`,
    instructions: 'i',
    ask: 'caller',
    ...more,
    model: scriptedModel(({ messages }) => {
      performed.push(name);
      const last = messages.at(-1);
      if (last?.role === 'tool') return `${name} heard ${last.content[0]?.text}`;
      if (asking.includes(name)) return { calls: [{ name: 'ask_user', input: { question: `${name}?` } }] };
      return `${name} says`;
    }),
  });
  const lead: Agent = {
    name: 'lead',
    instructions: 'i',
    advisors: [asPartner(curious('first')), asPartner(curious('second'))],
    router: { destinations: [asPartner(curious('there'))] },
    handoff: [asPartner(curious('edit')), asPartner(curious('sign'))],
    model: scriptedModel(() => {
      performed.push('lead');
      return { calls: [{ name: 'router__handoff-to', input: { agent: 'there', message: 'mind' } }] };
    }),
  };
  return { lead, performed };
}

interface Once {
  readonly journal?: MemoryJournal;
  readonly pauses?: MemoryPauses;
  readonly asking?: readonly string[];
}

async function once(prompt: string, options: object, stores: Once = {}) {
  const { journal = new MemoryJournal(), pauses = new MemoryPauses(), asking = [] } = stores;
  const { lead, performed } = plant(asking);
  const runtime = strict(journaled(inProcess, journal), { nextTick });
  const ports = fakePorts({ clock: new FakeClock(), pauses });
  const { outcome } = await walk(lead, prompt, { ports, runtime, ...options });
  const { status, text, usage, conversations } = outcome;
  return {
    outcome,
    performed,
    end: { status, text, usage },
    all: JSON.stringify({ status, text, usage, conversations }),
  };
}

test('a replay performs nothing and tells the same', async () => {
  const journal = new MemoryJournal();
  const whole = await once('go', { sessionId: 'run' }, { journal });
  expect(whole.end).toMatchObject({ status: 'completed', text: 'sign says' });
  expect(whole.performed).toEqual(['first', 'second', 'lead', 'there', 'edit', 'sign']);
  const again = await once('go', { sessionId: 'run' }, { journal });
  expect(again.performed).toEqual([]);
  expect(again.all).toBe(whole.all);
});

test('cut off after any operation, the rest is done and nothing twice', async () => {
  const journal = new MemoryJournal();
  const { end } = await once('go', { sessionId: 'run' }, { journal });
  for (let count = 0; count <= journal.entries.size; count++) {
    const left = new MemoryJournal([...journal.entries].slice(0, count));
    const known = [...left.entries.keys()].filter((key) => key.endsWith('.model')).length;
    const rest = await once('go', { sessionId: 'run' }, { journal: left });
    expect([count, rest.end]).toEqual([count, end]);
    expect(rest.performed).toHaveLength(6 - known);
  }
});

describe('with nobody there, a question ends the session, and its answer goes on at the very step', () => {
  test.each([
    ['first', ['first'], ['second']],
    ['there', ['there'], []],
    ['edit', ['edit'], []],
    ['sign', ['sign'], []],
    ['all', ['first', 'second', 'there', 'edit', 'sign'], []],
  ])('%s', async (_name, asking) => {
    const pauses = new MemoryPauses();
    let answer = 'go';
    let resume = {};
    const asked: string[] = [];
    const performed: string[] = [];
    for (let i = 0; i < 10; i++) {
      const run = await once(answer, { sessionId: `run${i}`, ...resume }, { pauses, asking });
      performed.push(...run.performed);
      if (run.outcome.status !== 'needs_user_input') {
        const last = asking.at(-1) === 'sign' ? 'sign heard sign!' : 'sign says';
        expect(run.end).toMatchObject({ status: 'completed', text: last });
        break;
      }
      const { question } = run.outcome;
      expect(question.to).toBe('person');
      asked.push(question.agentName);
      answer = `${question.agentName}!`;
      resume = { resume: run.outcome.resume };
    }
    expect(asked).toEqual(asking);
    // Whoever asked is asked once more with the answer; nobody else is asked twice.
    for (const name of ['first', 'second', 'lead', 'there', 'edit', 'sign'])
      expect([name, performed.filter((one) => one === name).length]).toEqual([name, asking.includes(name) ? 2 : 1]);
  });

  test('with somebody there nothing ends', async () => {
    const onQuestion = ({ agentName }: { agentName: string }) => `${agentName}!`;
    const asking = ['first', 'there', 'sign'];
    const { end } = await once('go', { sessionId: 'r', onQuestion }, { asking });
    expect(end).toMatchObject({ status: 'completed', text: 'sign heard sign!' });
  });
});

test('a hand-over beside a call that asks a person stands', async () => {
  const ports = fakePorts({ clock: new FakeClock(), pauses: new MemoryPauses() });
  const desk = () => {
    const asker = agent(
      'asker',
      ({ messages }) =>
        messages.at(-1)?.role === 'tool' ? 'asked' : { calls: [{ name: 'ask_user', input: { question: 'q?' } }] },
      { ask: 'person' },
    );
    const handOver = { name: 'router__handoff-to', input: { agent: 'bills' } };
    return agent('desk', [{ calls: [handOver, { name: 'agent__asker', input: { text: 'x', reason: 'r' } }] }], {
      router: { destinations: [asPartner(agent('bills', ['Paid.']))] },
      tools: [asTool(asker)],
    });
  };
  const { outcome } = await walk(desk(), 'go', { ports });
  if (outcome.status !== 'needs_user_input') throw outcome;
  const { outcome: end } = await walk(desk(), 'yes', { ports, resume: outcome.resume });
  expect(end).toMatchObject({ status: 'completed', text: 'Paid.' });
});
