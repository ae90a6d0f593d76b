// What files may come with a prompt for an agent, as far as its models say.

import type { Agent } from '@ai-agent/core';

/** Media types that each of its models takes: any of them may be asked. Undefined when one says nothing, or nothing is left. */
export function filesTakenBy({ model }: Pick<Agent, 'model'>): readonly string[] | undefined {
  const lists = [model].flat().map((one) => (typeof one === 'string' ? undefined : one.attachments));
  const [first = [], ...others] = lists;
  const taken = first.filter((type) => others.every((list) => list?.includes(type)));
  return taken.length > 0 ? taken : undefined;
}
