// Bounds what one call may put into a conversation: its head, and a handle to the rest.

import type { Middleware, ToolWork } from '../middleware.ts';
import { headBytes, utf8Bytes } from '../text.ts';
import type { ToolResult } from '../tool-result.ts';

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
    tool: (work, next) => next(work).then((result) => bound(result, work)),
  },
};

function bound(result: ToolResult, work: ToolWork): ToolResult | Promise<ToolResult> {
  // No character takes more than three bytes: short results need no measuring.
  const { maxToolOutputBytes } = work.limits;
  if (result.text.length * 3 <= maxToolOutputBytes) return result;
  const bytes = utf8Bytes(result.text);
  return bytes <= maxToolOutputBytes ? result : keep(result, bytes, work);
}

async function keep(result: ToolResult, bytes: number, { trace, limits, texts, ports }: ToolWork): Promise<ToolResult> {
  // Where the call stands in its tree: unique there, and the same on every replay.
  const handle = `out-${trace.turnPath}`;
  await ports.outputs.put(trace.originId, handle, result.text);
  const shown = headBytes(result.text, limits.maxToolOutputBytes);
  // The structured value would be the same flood again.
  const { value: _value, ...rest } = result;
  return { ...rest, text: texts.keptOutput({ handle, bytes, shown }), kept: { handle, bytes } };
}
