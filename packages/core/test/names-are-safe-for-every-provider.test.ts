import { agentToolName, asTool, toSafeName } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { findTool } from '../src/tool-names.ts';
import { agent } from './support/walk.ts';

test.each([
  ['research.icp', 'research_icp'],
  ['', '_'],
])('%j becomes %j', (name, safe) => expect(toSafeName(name)).toBe(safe));

test('names in other letters are told apart by a hash', () => {
  const [a, b] = ['天气', '汇率'].map(toSafeName);
  expect(a).toMatch(/^___[0-9a-f]{8}$/);
  expect(a).not.toBe(b);
});

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

const tool = (name: string) => ({ name, namespace: name.includes('__') ? (name.split('__')[0] ?? '') : '' });

test.each([
  ['agent__a', ['agent__a', 'mcp__a'], 'agent__a'],
  ['a', ['agent__a', 'mcp__b'], 'agent__a'],
  ['a', ['agent__a', 'mcp__a'], undefined],
  ['research.icp', ['agent__research_icp'], 'agent__research_icp'],
  ['github__delete', ['delete'], undefined],
  ['c', ['a', 'b'], undefined],
])('%j among %j is %j', (called, offered, found) => expect(findTool(called, offered.map(tool))?.name).toBe(found));

test('a prefix may be left out or added when it is the tool’s own', () => {
  const offered = [{ name: 'look_up', namespace: 'shop' }];
  expect(findTool('shop__look_up', offered)?.name).toBe('look_up');
  expect(findTool('functions__look_up', offered)).toBeUndefined();
});

test('what may not be called makes no name ambiguous, and is still known by its own', () => {
  const get = (namespace: string, isDenied?: boolean) => ({
    name: `${namespace}__get`,
    namespace,
    ...(isDenied === undefined ? {} : { isDenied }),
  });
  expect(findTool('get', [get('a', true), get('b')])?.name).toBe('b__get');
  expect(findTool('get', [get('a', false), get('b')])).toBeUndefined();
  expect(findTool('get', [get('a', true)])?.name).toBe('a__get');
  expect(findTool('get', [get('a', true), get('b', true)])).toBeUndefined();
  expect(findTool('a__get', [get('a', true), get('b')])?.name).toBe('a__get');
});

test('an agent with a long name is found without its prefix', () => {
  const name = 'x'.repeat(70);
  expect(findTool(name, [{ name: agentToolName(name), namespace: 'agent' }])).toBeDefined();
});
