// Bounds what one call may put into a conversation: its head, and a handle to the rest.

import type { Middleware, ToolWork } from '../middleware.ts';
import { outputKey } from '../outputs.ts';
import { hash, headBytes, utf8Bytes } from '../text.ts';
import { thrownResult } from '../tool.ts';

export const toolOutputName = 'tool_output';

export const outputBound: Middleware = {
  name: 'output-bound',
  decide: {
    turn(plan, { hasKeptOutput }) {
      if (!hasKeptOutput) return plan;
      const tools = plan.tools.map((tool) => (tool.name === toolOutputName ? { ...tool, isOffered: true } : tool));
      return { ...plan, tools };
    },
  },
  perform: {
    async tool(work, next) {
      const result = await next(work).catch((error: unknown) => {
        work.scope.throwIfAborted();
        return thrownResult(error);
      });
      const { text, failure } = result;
      if (failure && isLong(failure.message, work)) {
        const { text: message, kept } = await keep(text ? `${failure.message}\n\n${text}` : failure.message, work);
        return { ...result, text: '', failure: { ...failure, message }, kept };
      }
      if (!isLong(text, work)) return result;
      // The structured value would be the same flood again.
      const { value: _value, ...rest } = result;
      return { ...rest, ...(await keep(text, work)) };
    },
  },
};

function isLong(text: string, { limits: { maxToolOutputBytes } }: ToolWork): boolean {
  // No character takes more than three bytes: short results need no measuring.
  return text.length * 3 > maxToolOutputBytes && utf8Bytes(text) > maxToolOutputBytes;
}

async function keep(whole: string, { place, key, trace, limits, texts, ports }: ToolWork) {
  // Where the call stands in its tree, the same on every replay; a conversation that is gone on with elsewhere has
  // handles of another tree in it, which must not name what was kept here.
  const handle = `out-${trace.turnPath}-${hash(key)}`;
  await ports.outputs.put(outputKey(place.originId, handle), whole);
  const bytes = utf8Bytes(whole);
  const shown = headBytes(whole, limits.maxToolOutputBytes);
  return { text: texts.keptOutput({ handle, bytes, shown }), kept: { handle, bytes } };
}
