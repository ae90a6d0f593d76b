// When the model has said that it is done, or says nothing else: one more turn without tools, for the answer. No limit is reached by that.

import { mostStatusTurns } from '../defaults.ts';
import type { Middleware } from '../middleware.ts';

export const taskEnd: Middleware = {
  name: 'task-end',
  decide: {
    turn(plan, { taskEnd: end, texts }) {
      if (end === null || plan.last !== null) return plan;
      const said = end === 'completed' ? texts.taskCompleted : texts.onlyStatus(mostStatusTurns);
      return { ...plan, tools: [], isWithholding: true, say: [...plan.say, said] };
    },
  },
};
