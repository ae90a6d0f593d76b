// The promise: agents in code whose names are one as a tool are refused before anybody is served.

import { fakePorts } from '@ai-agent/core/testing';
import { createApi } from '@ai-agent/server/embedding';
import { expect, test } from 'vitest';
import { agentOf } from './support/governed.ts';

const apiOf = (...names: readonly string[]) =>
  createApi({ agents: names.map((name) => agentOf(name)), ports: fakePorts() });

test('a.b and a_b', () => {
  expect(() => apiOf('a.b', 'other', 'a_b')).toThrow(
    expect.objectContaining({ code: 'name-taken', message: 'a.b and a_b are both a_b as tools of MCP.' }),
  );
  expect(() => apiOf('a.b', 'a.c', 'b.a')).not.toThrow();
});
