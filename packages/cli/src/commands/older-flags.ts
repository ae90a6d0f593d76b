// Flags that people know from an existing set-up and that this version refuses, each with what to do instead.

const telemetry = 'is about telemetry, which this version does not have. --events is a record that machines can read.';
const listTools =
  'is not there in this form: ai-agent tools <file> asks the servers of an agent and lists their tools, with every schema checked.';
const tools = 'is not there: --tools a,b names the tools of the agent.';

const refusals: readonly (readonly [flags: string, sentence: string])[] = [
  ['--telemetry-enabled --telemetry-label --telemetry-log-format --telemetry-log-extra', telemetry],
  ['--telemetry-otlp-endpoint --telemetry-otlp-timeout-ms', telemetry],
  ['--telemetry-prometheus-enabled --telemetry-prometheus-host --telemetry-prometheus-port', telemetry],
  ['--telemetry-traces-enabled --telemetry-trace-sampler --telemetry-trace-ratio', telemetry],
  ['--telemetry-logging-otlp-endpoint --telemetry-logging-otlp-timeout-ms', telemetry],
  ['--list-tools --schema-validate', listTools],
  ['--tool --mcp-tool --mcp-tools', tools],
  ['--schema', 'is not there: write the schema as output.schema, or output.schemaRef, into the agent file.'],
  ['--save --sessions-dir', 'is not there: --save-all <folder> keeps every conversation of the run.'],
  ['--billing-file --accounting', 'is not there: --json has every call with its tokens and its cost, under ledger.'],
  ['--load', 'is not there: --session <id> goes on with an earlier session; ai-agent sessions list shows them.'],
  ['--resume', 'is not there: ai-agent sessions resume <id> --answer "…" answers, and --session <id> goes on.'],
];

/** By the flag: the sentence that follows it. Whatever stands after it is not looked at. */
export const olderFlags: ReadonlyMap<string, string> = new Map(
  refusals.flatMap(([flags, sentence]) => flags.split(' ').map((flag) => [flag, sentence] as const)),
);
