// Formats of texts in the schemas of tools: some servers refuse those they do not know.

import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { eachSchema } from './providers/schemas.ts';
import type { Formats } from './traits.ts';

type Tools = NonNullable<LanguageModelV4CallOptions['tools']>;

/** Formats that servers built on llguidance understand. */
const guidance = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid', 'uri'];

/** The tools, without the formats that are not to be sent. */
export function withFormats(tools: Tools, formats: Formats): Tools {
  if (!formats.allowed && !formats.denied) return tools;
  return tools.map((tool) =>
    tool.type === 'function'
      ? { ...tool, inputSchema: strip(tool.inputSchema, toTest(formats)) as typeof tool.inputSchema }
      : tool,
  );
}

/** What is denied goes, then what is not among the allowed, if any are named. */
function toTest({ allowed, denied = [] }: Formats): (format: string) => boolean {
  const isIn = (list: readonly string[], format: string) =>
    list.some(
      (one) => one === '*' || one === 'any' || one === format || (one === 'guidance' && guidance.includes(format)),
    );
  return (format) => !isIn(denied, format) && (allowed === undefined || isIn(allowed, format));
}

/** Only where it is the keyword: a property may be called format, and an example may have one. */
function strip(schema: unknown, isKept: (format: string) => boolean): unknown {
  return eachSchema(schema, ({ format, ...rest }) =>
    format === undefined || (typeof format === 'string' && !isKept(format)) ? rest : { ...rest, format },
  );
}
