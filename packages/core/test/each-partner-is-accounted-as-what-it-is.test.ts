// The promise: tree, ledger, summary and log tell partners from sub-agents, count every call once, and take no step for a turn of a model.

import {
  type Agent,
  asPartner,
  asTool,
  finSummaryOf,
  ledgerOf,
  type OperationNode,
  opTreeOf,
  type SessionNode,
  toLogRecord,
} from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

/** `law` is both: an advisor, and a sub-agent that is asked once more. */
function team(): Agent {
  const law = () => agent('law', ['The law allows it.']);
  return agent(
    'desk',
    [
      { calls: [{ name: 'agent__law', input: { text: 'once more', reason: 'To be sure' } }] },
      { calls: [{ name: 'router__handoff-to', input: { agent: 'billing' } }] },
    ],
    {
      tools: [asTool(law())],
      advisors: [asPartner(law()), asPartner(agent('money', ['It is cheap.']))],
      router: { destinations: [asPartner(agent('billing', ['Paid.']))] },
      handoff: [asPartner(agent('edit', ['It is paid.']))],
    },
  );
}

test('the tree has the steps as steps, and what each session is', async () => {
  const { outcome, events } = await walk(team());
  expect(outcome).toMatchObject({ status: 'completed', text: 'It is paid.' });
  const { tree } = outcome;
  expect(tree).toEqual(opTreeOf(events));
  expect(tree?.turns.map(({ number, step, operations }) => [number, step, operations.map(nameOf)])).toEqual([
    [0, 'advisors', ['advisor law', 'advisor money']],
    [1, undefined, ['model', 'law']],
    [2, undefined, ['model', 'handoff-to']],
    [3, 'router', ['router billing']],
    [4, 'handoff', ['handoff edit']],
  ]);
  expect(tree && 'partner' in tree).toBe(false);
  const [, asked] = tree?.turns.flatMap(sessionsOf).filter(({ trace }) => trace.agentName === 'law') ?? [];
  expect(asked && 'partner' in asked).toBe(false);
});

test('the ledger has each session as what it was, and the sums have each call once', async () => {
  const { outcome, events } = await walk(team());
  const { ledger } = outcome;
  expect(ledger).toEqual(ledgerOf(events));
  expect(Object.values(ledger.bySession).map(({ callPath, partner }) => [callPath, partner])).toEqual([
    ['desk', undefined],
    ['desk:law', 'advisor'],
    ['desk:money', 'advisor'],
    ['desk:law', undefined],
    ['desk:billing', 'router'],
    ['desk:edit', 'handoff'],
  ]);
  const calls = ({ modelCalls, toolCalls }: { modelCalls: number; toolCalls: number }) => [modelCalls, toolCalls];
  expect(calls(ledger.total)).toEqual([7, 6]);
  expect(calls(outcome.usage)).toEqual([7, 6]);
  expect(ledger.byName.law && calls(ledger.byName.law)).toEqual([2, 0]);
  expect(ledger.byPath['desk:law'] && calls(ledger.byPath['desk:law'])).toEqual([2, 0]);
  const own = ledger.entries.map((entry) => [entry.trace.agentName, entry.type, entry.partner]);
  expect(own.filter(([name]) => name === 'law')).toEqual([
    ['law', 'model', 'advisor'],
    ['law', 'model', undefined],
  ]);
  expect(own.filter(([name]) => name === 'desk').every(([, , partner]) => partner === undefined)).toBe(true);
});

test('the summary has a line for each thing that an agent was', async () => {
  const { outcome } = await walk(team());
  const { models, tools, lines } = finSummaryOf(outcome.ledger);
  expect(models.map(({ callPath, partner, calls }) => [callPath, partner, calls])).toEqual([
    ['desk', undefined, 2],
    ['desk:law', 'advisor', 1],
    ['desk:money', 'advisor', 1],
    ['desk:law', undefined, 1],
    ['desk:billing', 'router', 1],
    ['desk:edit', 'handoff', 1],
  ]);
  expect(tools.map(({ subject, calls }) => [subject, calls])).toEqual([
    ['advisor/law', 1],
    ['advisor/money', 1],
    ['agent/law', 1],
    ['router/handoff-to', 1],
    ['router/billing', 1],
    ['handoff/edit', 1],
  ]);
  expect(lines[1]).toMatch(/^FIN model desk:law \(advisor\) scripted\/\S+: 1 call,/);
  expect(lines[4]).toMatch(/^FIN model desk:billing \(destination\) /);
  expect(lines.at(-1)).toMatch(/^FIN total: 7 model calls, 6 tool calls/);
});

test('the log says who began as what, and names steps by what they are', async () => {
  const { events } = await walk(team());
  const records = events.flatMap((event) => (event.kind === 'fact' ? [toLogRecord(event)] : []));
  const desk = records.filter(({ event, parentId }) => parentId === null && event.startsWith('turn-'));
  expect(desk.map(({ message }) => message)).toEqual(
    ['step advisors', 'turn 1', 'turn 2', 'step router', 'step handoff'].flatMap((turn) => [
      `${turn} started`,
      `${turn} ended`,
    ]),
  );
  const starts = records.filter(({ event }) => event === 'session-start').map(({ message }) => message);
  expect(starts).toEqual([
    'session of desk started',
    'session of law started as advisor',
    'session of money started as advisor',
    'session of law started: To be sure',
    'session of billing started as destination',
    'session of edit started as handoff',
  ]);
});

test('steps use no turns of a budget', async () => {
  // Two are held back, for the last words of the desk and of whoever it waits for.
  const { outcome } = await walk({ ...team(), budget: { turns: 9 } });
  expect(outcome).toMatchObject({ status: 'completed', usage: { modelCalls: 7 } });
});

test('an agent without partners is told of as ever', async () => {
  const { outcome, events } = await walk(agent('lead', ['Done.']));
  const said = JSON.stringify([outcome.tree, outcome.ledger, finSummaryOf(outcome.ledger), events]);
  expect(said).not.toMatch(/partner|"step"/);
});

function nameOf(operation: OperationNode): string {
  if (operation.type === 'model') return 'model';
  expect(operation.session?.partner).toBe(operation.partner);
  return [operation.partner, operation.label].filter((word) => word !== undefined).join(' ');
}

function sessionsOf({ operations }: SessionNode['turns'][number]): readonly SessionNode[] {
  return operations.flatMap((operation) => (operation.type === 'tool' && operation.session ? [operation.session] : []));
}
