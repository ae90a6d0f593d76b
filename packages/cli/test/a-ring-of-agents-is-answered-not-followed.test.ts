// T4: agents that call each other in a ring, too deep or too often are answered in words; every session goes on and ends.

import { type Agent, ask, asTool, type Outcome, type ToolSource } from '@ai-agent/cli';
import type { Script } from '@ai-agent/cli/testing';
import { expect, test } from 'vitest';
import { type Door, throughEveryDoor } from './support/doors.ts';

const callTo = (name: string) => ({ name, input: { text: 'go', reason: 'r' } });

/** Calls the next one once, and answers with its own name and what it was told. */
const passOn =
  (name: string, ...next: readonly string[]): Script =>
  (request) => {
    const told = request.messages.findLast((message) => message.role === 'tool')?.content ?? [];
    if (told.length === 0 && next.length > 0) return { calls: next.map(callTo) };
    return `${name}: ${told.map((part) => ('text' in part ? part.text : '')).join(' | ')}`;
  };

/** Tools that are only known when a session opens: no check of definitions sees a ring of them. */
function lazily(tools: () => readonly Agent[]): ToolSource {
  return { list: () => tools().map((agent) => asTool(agent)) };
}

/** A line of agents, each with the next as a tool. */
async function lineOf(door: Door, length: number, link: (next: Agent) => Agent['tools'], limits?: Agent['limits'][]) {
  let below: Agent | undefined;
  for (let i = length - 1; i >= 0; i--) {
    const script = below ? passOn(`l${i}`, `l${i + 1}`) : passOn(`l${i}`);
    const tools = below ? link(below) : undefined;
    const own = limits?.[i];
    below = await door.agent(`l${i}`, script, { ...(tools ? { tools } : {}), ...(own ? { limits: own } : {}) });
  }
  return below as Agent;
}

const sessionsOf = ({ conversations }: Outcome) => Object.keys(conversations).length;

throughEveryDoor('a ring of agents is answered, not followed', (door) => {
  const { runtime } = door;

  test('A calls B calls A: B is told the chain and the way out, and both end', async () => {
    const ring: Agent[] = [];
    const a = await door.agent('a', passOn('a', 'b'), { tools: [lazily(() => ring.slice(1))] });
    const b = await door.agent('b', passOn('b', 'a'), { tools: [lazily(() => ring.slice(0, 1))] });
    ring.push(a, b);
    const outcome = await ask(a, 'go', { runtime });
    expect(outcome.status).toBe('completed');
    expect(outcome.text).toMatch(
      /^a: b: Failed \(tool\): a is already at work above you: a → b → a\..*\nWhat to do: Do/,
    );
    expect(sessionsOf(outcome)).toBe(2);
    expect(outcome.ledger.entries.at(-1)).toMatchObject({ status: 'ok' });
    expect(outcome.ledger.entries.filter(({ status }) => status === 'refused')).toHaveLength(1);
  });

  test('one that calls itself is told so, and works on with its other calls', async () => {
    const self: Agent[] = [];
    const helper = await door.agent('helper', passOn('helper'));
    const a = await door.agent('a', passOn('a', 'a', 'helper'), { tools: [lazily(() => self), asTool(helper)] });
    self.push(a);
    const outcome = await ask(a, 'go', { runtime });
    expect(outcome).toMatchObject({ status: 'completed' });
    expect(outcome.text).toMatch(/a is already at work above you: a → a\.[\s\S]* \| helper: $/);
    expect(sessionsOf(outcome)).toBe(2);
  });

  test('a longer ring, entered at its second link, is closed where it closes', async () => {
    const ring: Agent[] = [];
    const next = (i: number) => [lazily(() => ring.slice(i, i + 1))];
    ring.push(await door.agent('a', passOn('a', 'b'), { tools: next(1) }));
    ring.push(await door.agent('b', passOn('b', 'c'), { tools: next(2) }));
    ring.push(await door.agent('c', passOn('c', 'b'), { tools: next(1) }));
    const outcome = await ask(ring[0] as Agent, 'go', { runtime });
    expect(outcome.text).toMatch(/^a: b: c: Failed \(tool\): b is already at work above you: a → b → c → b/);
  });

  test('the same agent in two branches, or twice in a row, is no ring', async () => {
    const helper = await door.agent('helper', passOn('helper'));
    const tools = [asTool(helper)];
    const left = await door.agent('left', passOn('left', 'helper'), { tools });
    const right = await door.agent('right', passOn('right', 'helper', 'helper'), { tools });
    const lead = await door.agent('lead', passOn('lead', 'left', 'right'), { tools: [asTool(left), asTool(right)] });
    const outcome = await ask(lead, 'go', { runtime });
    expect(outcome.text).toBe('lead: left: helper:  | right: helper:  | helper: ');
  });

  test('three levels below the root and no more, when nobody says otherwise', async () => {
    const outcome = await ask(await lineOf(door, 6, (next) => [lazily(() => [next])]), 'go', { runtime });
    expect(outcome.status).toBe('completed');
    expect(outcome.text).toMatch(
      /^l0: l1: l2: l3: Failed \(tool\): This tree may have sub-agents 3 deep, and you are at level 3\.\nWhat to do: /,
    );
    expect(sessionsOf(outcome)).toBe(4);
  });

  test('a tree that is deeper by its own tools may be so', async () => {
    const outcome = await ask(await lineOf(door, 7, (next) => [asTool(next)]), 'go', { runtime });
    expect(outcome).toMatchObject({ status: 'completed', text: 'l0: l1: l2: l3: l4: l5: l6: ' });
  });

  test('maxDepth of the root is for the whole tree, also against its own tools', async () => {
    const flat = await ask(await lineOf(door, 3, (next) => [asTool(next)], [{ maxDepth: 0 }]), 'go', { runtime });
    expect(flat.text).toMatch(/^l0: Failed \(tool\): This tree may have no sub-agents/);
    const two = await ask(await lineOf(door, 6, (next) => [asTool(next)], [{ maxDepth: 2 }]), 'go', { runtime });
    expect(two.text).toMatch(/^l0: l1: l2: Failed \(tool\): .*2 deep/);
    const five = await ask(await lineOf(door, 7, (next) => [lazily(() => [next])], [{ maxDepth: 5 }]), 'go', {
      runtime,
    });
    expect(five.text).toMatch(/^l0: l1: l2: l3: l4: l5: Failed/);
  });

  test('a child may narrow it for those below it, never widen it', async () => {
    const link = (next: Agent) => [lazily(() => [next])];
    const narrow = await ask(await lineOf(door, 6, link, [{}, { maxDepth: 1 }]), 'go', { runtime });
    expect(narrow.text).toMatch(/^l0: l1: l2: Failed/);
    const wide = await ask(await lineOf(door, 6, link, [{ maxDepth: 2 }, { maxDepth: 9 }]), 'go', { runtime });
    expect(wide.text).toMatch(/^l0: l1: l2: Failed/);
  });

  test('64 sessions below in all, however deep; then the model is told to do the rest itself', async () => {
    const leaf = await door.agent('leaf', () => 'ok');
    const eight = Array.from({ length: 8 }, () => 'leaf');
    const middle = await door.agent('middle', passOn('middle', ...eight), { tools: [asTool(leaf)] });
    const middles = Array.from({ length: 8 }, () => 'middle');
    const lead = await door.agent('lead', passOn('lead', ...middles), { tools: [asTool(middle)] });
    const outcome = await ask(lead, 'go', { runtime });
    expect(outcome.status).toBe('completed');
    expect(sessionsOf(outcome)).toBe(1 + 64);
    expect(outcome.text.match(/Failed \(budget\): This tree has had all the sub-agent sessions/g)).toHaveLength(8);
    expect(outcome.text).toContain('What to do: Do the rest yourself');
  });

  test('an own budget of descendants, of the root or of a child, leaves the session at work', async () => {
    const leaf = await door.agent('leaf', () => 'ok');
    const three = passOn('middle', 'leaf', 'leaf', 'leaf');
    const middle = await door.agent('middle', three, { tools: [asTool(leaf)], budget: { descendants: 1 } });
    const lead = await door.agent('lead', passOn('lead', 'middle', 'leaf'), { tools: [asTool(middle), asTool(leaf)] });
    const narrowed = await ask(lead, 'go', { runtime });
    expect(narrowed.status).toBe('completed');
    expect(narrowed.text).toMatch(/^lead: middle: ok \| Failed \(budget\)[\s\S]* \| Failed \(budget\)[\s\S]* \| ok$/);
    const none = await ask({ ...lead, budget: { descendants: 0 } }, 'go', { runtime });
    expect(none).toMatchObject({ status: 'completed' });
    expect(sessionsOf(none)).toBe(1);
    const many = await ask({ ...lead, budget: { descendants: 3 } }, 'go', { runtime });
    expect(sessionsOf(many)).toBe(4);
  });
});
