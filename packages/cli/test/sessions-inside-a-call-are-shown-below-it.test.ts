// A tool that runs sessions during its work has them below it: in the panel, in its sums, and in the tree after the end.

import { type Agent, AIAgentSession, defineTool, runInside, type SessionNode } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { Activity } from '../src/render/activity.ts';
import { drawOpTree } from '../src/render/op-tree.ts';
import { amountOf, idsOver, toItem } from '../src/render/panel-item.ts';

async function treeOf(): Promise<SessionNode> {
  const oracle: Agent = { name: 'oracle', instructions: 'You know.', model: scriptedModel(() => 'yes') };
  const consult = defineTool({
    name: 'consult',
    inputSchema: { type: 'object' },
    async execute(_args, context) {
      const [one, two] = [await runInside(oracle, 'a', { context }), await runInside(oracle, 'b', { context })];
      return `${one.text} ${two.text}`;
    },
  });
  const model = scriptedModel([{ calls: [{ name: 'consult' }] }, 'done']);
  const agent: Agent = { name: 'lead', instructions: 'You lead.', model, tools: [consult] };
  const { tree } = await new AIAgentSession({ agent, ports: fakePorts(), sessionId: 'run' }).run('go').outcome;
  return tree ?? expect.fail('There is no tree.');
}

test('in the tree after the end', async () => {
  expect(drawOpTree(await treeOf()).map((line) => line.split(':')[0])).toEqual([
    'lead',
    '|- 1. model scripted/model',
    '|- 1. tool consult',
    '|  |- consult/oracle',
    '|  |  `- 1. model scripted/model',
    '|  `- consult/oracle[2]',
    '|     `- 1. model scripted/model',
    '`- 2. model scripted/model',
  ]);
});

test('in the panel, until they were shown for good', async () => {
  const tree = await treeOf();
  const style = { activity: new Activity(), now: 0, isShown: () => false };
  expect(toItem(tree, style)).toMatchObject({
    sessions: 3,
    below: [{ name: 'consult/oracle' }, { name: 'consult/oracle[2]' }],
  });
  expect(idsOver(tree)).toEqual(['run turn.1.tool.1', 'run~1.1.1', 'run~1.1.2']);
  const isShown = (id: string) => id === 'run~1.1.1';
  expect(toItem(tree, { ...style, isShown }).below.map(({ name }) => name)).toEqual(['consult/oracle[2]']);
});

test('in what a session that still runs has used', async () => {
  const { usage: _known, ...tree } = await treeOf();
  expect(amountOf({ ...tree, status: 'running' })).toMatchObject({
    inputTokens: 40,
    outputTokens: 20,
    unknownCostCalls: 4,
  });
});
