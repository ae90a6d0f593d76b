// Bounds what one call may put into a conversation: its head, and a handle to the rest; or both its ends, and no more.

import { outputReading } from '../defaults.ts';
import type { Failure } from '../errors.ts';
import type { Middleware, Perform, ToolWork } from '../middleware.ts';
import type { OpenedTool } from '../operation.ts';
import { showEnds } from '../output-ends.ts';
import { isOwnAnswer } from '../place.ts';
import { hash, headBytes, utf8Bytes } from '../text.ts';
import { toolOutputName } from '../tool-names.ts';
import { type ToolResult, thrownResult } from '../tool-result.ts';

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
  perform: { tool: boundBy(keep) },
};

/** For agents that keep nothing: what is left out is gone. */
export const outputCut: Middleware = { name: 'output-bound', perform: { tool: boundBy(cut) } };

type Shorten = (whole: string, work: ToolWork) => Shortened | Promise<Shortened>;
type Shortened = Pick<ToolResult, 'text' | 'kept'>;

function boundBy(shorten: Shorten): NonNullable<Perform['tool']> {
  const bound = (result: ToolResult, work: ToolWork): ToolResult | Promise<ToolResult> => {
    const { text, failure } = result;
    if (failure && isLong(failure.message, work))
      return boundFailure(result, failure, () => shorten(wholeOf(result), work));
    return isLong(text, work) ? boundText(result, () => shorten(text, work)) : result;
  };
  return (work, next) =>
    next(work).then(
      (result) => (isOwnAnswer(work.partner) ? result : bound(result, work)),
      (error: unknown) => {
        work.scope.throwIfAborted();
        return bound(thrownResult(error), work);
      },
    );
}

async function boundFailure(
  result: ToolResult,
  failure: Failure,
  shorten: () => Shortened | Promise<Shortened>,
): Promise<ToolResult> {
  const { text: message, ...kept } = await shorten();
  return { ...result, text: '', failure: { ...failure, message }, ...kept };
}

function wholeOf({ text, failure }: ToolResult): string {
  const message = failure?.message ?? '';
  return text ? `${message}\n\n${text}` : message;
}

async function boundText(result: ToolResult, shorten: () => Shortened | Promise<Shortened>): Promise<ToolResult> {
  // The structured value would be the same flood again.
  const { value: _value, ...rest } = result;
  return { ...rest, ...(await shorten()) };
}

function isLong(text: string, work: ToolWork): boolean {
  const most = bytesFor(work);
  // No character takes more than three bytes: short results need no measuring.
  return text.length * 3 > most && utf8Bytes(text) > most;
}

/** Both ends of a result are not cut again, however small the bound is. */
function bytesFor({ call, limits: { maxToolOutputBytes } }: ToolWork): number {
  return call.tool === toolOutputName ? Math.max(outputReading.leastBytes, maxToolOutputBytes) : maxToolOutputBytes;
}

function cut(whole: string, { limits, texts }: ToolWork): Shortened {
  return { text: showEnds(whole, limits.maxToolOutputBytes, texts) };
}

async function keep(whole: string, { key, trace, limits, texts, ports }: ToolWork): Promise<Shortened> {
  // Where the call stands in its tree, the same on every replay; a conversation that is gone on with elsewhere has
  // handles of another tree in it, which must not name what was kept here.
  const handle = `out-${trace.turnPath}-${hash(key)}`;
  await ports.outputs.put(trace.originId, handle, whole);
  const bytes = utf8Bytes(whole);
  const shown = headBytes(whole, limits.maxToolOutputBytes);
  return { text: texts.keptOutput({ handle, bytes, shown }), kept: { handle, bytes } };
}
