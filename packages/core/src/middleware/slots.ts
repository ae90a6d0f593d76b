// Waits for a place in the process before work begins. A session below holds none while it waits for its own calls.

import type { Middleware, ModelWork, ToolWork } from '../middleware.ts';
import type { Gate } from '../slots.ts';

export const slots: Middleware = {
  name: 'slots',
  perform: {
    model: (work, next) => inPlace(work.ports.slots?.models, work, () => next(work)),
    tool: (work, next) =>
      work.operation === 'session' ? next(work) : inPlace(work.ports.slots?.tools, work, () => next(work)),
  },
};

function inPlace<T>(
  gate: Gate | undefined,
  { place, key, scope, ports }: ModelWork | ToolWork,
  next: () => Promise<T>,
): Promise<T> {
  const work = () => {
    // Only now does time count: queueing is nobody's work.
    const end = ports.budget.begin(place.id, key);
    return end ? timed(next, end) : next();
  };
  return gate ? gate.run(place.originId, scope, work) : work();
}

async function timed<T>(next: () => Promise<T>, end: () => void): Promise<T> {
  try {
    return await next();
  } finally {
    end();
  }
}
