import { agentToolName, asTool, toSafeName } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { findName } from '../src/tool-names.ts';
import { agent } from './support/walk.ts';

test.each([
  ['research.icp', 'research_icp'],
  ['ünï cödé', '_n__c_d_'],
  ['', '_'],
])('%j becomes %j', (name, safe) => expect(toSafeName(name)).toBe(safe));

test('what is too long is cut and told apart by a hash', () => {
  const [a, b] = ['a', 'b'].map((end) => toSafeName('x'.repeat(80) + end));
  expect(a).toMatch(/^[A-Za-z0-9_-]{64}$/);
  expect(a).not.toBe(b);
});

test('research.icp is agent__research_icp to models', () => {
  expect(agentToolName('research.icp')).toBe('agent__research_icp');
  expect(asTool(agent('icp', [], { toolName: 'research.icp' }))).toMatchObject({
    name: 'agent__research_icp',
    identity: { namespace: 'agent', tool: 'research.icp' },
  });
});

test.each([
  ['agent__a', ['agent__a', 'mcp__a'], 'agent__a'],
  ['a', ['agent__a', 'mcp__b'], 'agent__a'],
  ['a', ['agent__a', 'mcp__a'], undefined],
  ['agent__b', ['b'], 'b'],
  ['c', ['a', 'b'], undefined],
])('%j among %j is %j', (called, offered, found) => expect(findName(called, offered)).toBe(found));
