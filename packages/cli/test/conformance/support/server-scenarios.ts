// Every scenario of the server suite, and what comes of it here: it passes, or it needs something that an agent is not.

export const older = '2025-11-25';
export const newer = '2026-07-28';

export type Revision = '2025-11-25' | '2026-07-28' | 'extension';

export interface Row {
  readonly scenario: string;
  /** Where it is run. */
  readonly in: readonly Revision[];
  /** What it would need, and why no agent is that. @default nothing: it passes */
  readonly needs?: string;
  /** The checks that fail or warn for lack of it, sorted. Those of extensions are not counted: nothing of them is offered. */
  readonly fails?: readonly string[] | Partial<Readonly<Record<Revision, readonly string[]>>>;
}

const both = [older, newer] as const;
const before = [older] as const;
const since = [newer] as const;
const extension = ['extension'] as const;

const content = 'a tool that gives a picture, a sound or a file: what an agent says is text and JSON';
const resources = 'a resource at an address of the suite: ours are runs that have ended';
const subscriptions = 'resources that change: a run that has ended does not';
const sampling = 'a tool that uses the model of its client: an agent has its own';
const roots = 'a tool that asks for the folders of its client: an agent has no use for them';
const tasks =
  'the extension for tasks, which is not offered: a call is waited for, and sessions over REST are for the rest';
const skills = 'the extension for skills, which is not offered';

const schemas = [
  'json-schema-2020-12-additionalProperties',
  'sep-2106-composition-keywords-preserved',
  'sep-2106-conditional-keywords-preserved',
];

export const rows: readonly Row[] = [
  { scenario: 'server-initialize', in: before },
  { scenario: 'server-session-lifecycle', in: before },
  {
    scenario: 'server-stateless',
    in: since,
    needs: sampling,
    fails: ['sep-2575-missing-capability-http-400', 'sep-2575-server-rejects-undeclared-capability'],
  },
  { scenario: 'logging-set-level', in: before },
  { scenario: 'ping', in: before },
  {
    scenario: 'completion-complete',
    in: both,
    needs: 'completion of arguments: those of an agent are words of its caller, of which nothing is known',
    fails: ['completion-complete'],
  },
  { scenario: 'tools-list', in: both },
  { scenario: 'tools-call-simple-text', in: both },
  { scenario: 'tools-call-image', in: both, needs: content, fails: ['tools-call-image'] },
  { scenario: 'tools-call-audio', in: both, needs: content, fails: ['tools-call-audio'] },
  { scenario: 'tools-call-embedded-resource', in: both, needs: content, fails: ['tools-call-embedded-resource'] },
  { scenario: 'tools-call-mixed-content', in: both, needs: content, fails: ['tools-call-mixed-content'] },
  { scenario: 'tools-call-with-logging', in: before },
  { scenario: 'tools-call-error', in: both },
  { scenario: 'tools-call-with-progress', in: both },
  { scenario: 'tools-call-sampling', in: before, needs: sampling, fails: ['tools-call-sampling'] },
  { scenario: 'tools-call-elicitation', in: before },
  {
    scenario: 'json-schema-2020-12',
    in: both,
    needs:
      'arguments with alternatives at their root: providers of models refuse such tools, so a contract that has them is an argument by itself',
    fails: { [older]: schemas.slice(0, 1), [newer]: schemas },
  },
  { scenario: 'elicitation-sep1034-defaults', in: before },
  { scenario: 'server-sse-polling', in: before },
  { scenario: 'server-sse-multiple-streams', in: both },
  { scenario: 'elicitation-sep1330-enums', in: before },
  { scenario: 'resources-list', in: both },
  { scenario: 'resources-read-text', in: both, needs: resources, fails: ['resources-read-text'] },
  { scenario: 'resources-read-binary', in: both, needs: resources, fails: ['resources-read-binary'] },
  { scenario: 'resources-templates-read', in: both, needs: resources, fails: ['resources-templates-read'] },
  { scenario: 'resources-subscribe', in: before, needs: subscriptions, fails: ['resources-subscribe'] },
  { scenario: 'resources-unsubscribe', in: before, needs: subscriptions, fails: ['resources-unsubscribe'] },
  { scenario: 'sep-2164-resource-not-found', in: since },
  { scenario: 'sep-2640-skills-directory', in: extension, needs: skills },
  { scenario: 'sep-2640-skills-enumeration', in: extension, needs: skills },
  { scenario: 'sep-2640-skills-manifest', in: extension, needs: skills },
  { scenario: 'prompts-list', in: both },
  { scenario: 'prompts-get-simple', in: both },
  { scenario: 'prompts-get-with-args', in: both },
  {
    scenario: 'prompts-get-embedded-resource',
    in: both,
    needs: 'a prompt with a file in it: prompts are the instructions of agents, which are text',
    fails: ['prompts-get-embedded-resource'],
  },
  {
    scenario: 'prompts-get-with-image',
    in: both,
    needs: 'a prompt with a picture in it: prompts are the instructions of agents, which are text',
    fails: ['prompts-get-with-image'],
  },
  { scenario: 'dns-rebinding-protection', in: both },
  { scenario: 'caching', in: since },
  { scenario: 'http-header-validation', in: since },
  { scenario: 'http-custom-header-server-validation', in: since },
  ...[
    'lifecycle',
    'capability-negotiation',
    'wire-fields',
    'request-state-removal',
    'mrtr-input',
    'request-headers',
    'dispatch-and-envelope',
    'status-notifications',
    'required-task-error',
    'mrtr-composition',
  ].map((name): Row => ({ scenario: `tasks-${name}`, in: extension, needs: tasks })),
  {
    scenario: 'input-required-result-basic-elicitation',
    in: since,
    needs: 'a question under the name that the suite has for it: the questions of an agent have none',
    fails: ['sep-2322-elicitation-incomplete'],
  },
  {
    scenario: 'input-required-result-basic-sampling',
    in: since,
    needs: sampling,
    fails: ['sep-2322-sampling-incomplete'],
  },
  {
    scenario: 'input-required-result-basic-list-roots',
    in: since,
    needs: roots,
    fails: ['sep-2322-list-roots-incomplete'],
  },
  { scenario: 'input-required-result-request-state', in: since },
  {
    scenario: 'input-required-result-multiple-input-requests',
    in: since,
    needs: `${sampling}; ${roots}`,
    fails: ['sep-2322-multiple-inputs-incomplete'],
  },
  { scenario: 'input-required-result-multi-round', in: since },
  { scenario: 'input-required-result-missing-input-response', in: since },
  {
    scenario: 'input-required-result-non-tool-request',
    in: since,
    needs: 'a prompt that asks: the instructions of an agent are there without a question',
    fails: ['sep-2322-non-tool-incomplete'],
  },
  { scenario: 'input-required-result-result-type', in: since },
  { scenario: 'input-required-result-unsupported-methods', in: since },
  { scenario: 'input-required-result-tampered-state', in: since },
  {
    scenario: 'input-required-result-capability-check',
    in: since,
    needs: sampling,
    fails: ['sep-2322-respect-client-capabilities'],
  },
  {
    scenario: 'input-required-result-ignore-extra-params',
    in: since,
    needs: 'a tool that takes an answer to a question which it has not asked: an agent goes on with a run that has',
    fails: ['sep-2322-ignore-unexpected-params'],
  },
  { scenario: 'input-required-result-validate-input', in: since },
];

/** The checks that fail or warn in a scenario there. */
export function failing({ fails = [] }: Row, revision: Revision): readonly string[] {
  return 'length' in fails ? fails : (fails[revision] ?? []);
}
