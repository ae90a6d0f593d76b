// Bounds what one call may put into a conversation: its head, and a handle to the rest.

import type { Failure } from '../errors.ts';
import type { Middleware, ToolWork } from '../middleware.ts';
import type { OpenedTool } from '../operation.ts';
import { isOwnAnswer } from '../place.ts';
import { hash, headBytes, utf8Bytes } from '../text.ts';
import { type ToolResult, thrownResult } from '../tool-result.ts';

export const toolOutputName = 'tool_output';

export const outputBound: Middleware = {
  name: 'output-bound',
  decide: {
    turn(plan, { hasKeptOutput }) {
      if (!hasKeptOutput) return plan;
      const isIt = ({ name, isDenied }: OpenedTool) => name === toolOutputName && !isDenied;
      const tools = plan.tools.map((tool) => (isIt(tool) ? { ...tool, isOffered: true } : tool));
      return { ...plan, tools };
    },
  },
  perform: {
    tool: (work, next) =>
      next(work).then(
        (result) => (isOwnAnswer(work.partner) ? result : bound(result, work)),
        (error: unknown) => {
          work.scope.throwIfAborted();
          return bound(thrownResult(error), work);
        },
      ),
  },
};

function bound(result: ToolResult, work: ToolWork): ToolResult | Promise<ToolResult> {
  const { text, failure } = result;
  if (failure && isLong(failure.message, work)) return boundFailure(result, failure, work);
  return isLong(text, work) ? boundText(result, work) : result;
}

async function boundFailure(result: ToolResult, failure: Failure, work: ToolWork): Promise<ToolResult> {
  const whole = result.text ? `${failure.message}\n\n${result.text}` : failure.message;
  const { text: message, kept } = await keep(whole, work);
  return { ...result, text: '', failure: { ...failure, message }, kept };
}

async function boundText(result: ToolResult, work: ToolWork): Promise<ToolResult> {
  // The structured value would be the same flood again.
  const { value: _value, ...rest } = result;
  return { ...rest, ...(await keep(result.text, work)) };
}

function isLong(text: string, { limits: { maxToolOutputBytes } }: ToolWork): boolean {
  // No character takes more than three bytes: short results need no measuring.
  return text.length * 3 > maxToolOutputBytes && utf8Bytes(text) > maxToolOutputBytes;
}

async function keep(whole: string, { key, trace, limits, texts, ports }: ToolWork) {
  // Where the call stands in its tree, the same on every replay; a conversation that is gone on with elsewhere has
  // handles of another tree in it, which must not name what was kept here.
  const handle = `out-${trace.turnPath}-${hash(key)}`;
  await ports.outputs.put(trace.originId, handle, whole);
  const bytes = utf8Bytes(whole);
  const shown = headBytes(whole, limits.maxToolOutputBytes);
  return { text: texts.keptOutput({ handle, bytes, shown }), kept: { handle, bytes } };
}
