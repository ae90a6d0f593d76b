// A talk that has not begun: whom to ask, and what.

import { AssistantRuntimeProvider } from '@assistant-ui/react';
import { type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { Problem } from '../app/problem.tsx';
import { goFrom, goTo } from '../app/route.ts';
import type { Sessions } from '../app/use-sessions.ts';
import { SchemaForm } from '../forms/schema-form.tsx';
import type { Api, Attachment } from '../server/api.ts';
import type { AgentEntry, Failure } from '../server/documents.ts';
import { toFailure } from '../server/to-failure.ts';
import { AgentPicker } from './agent-picker.tsx';
import { type Budget, BudgetFields } from './budget-fields.tsx';
import { Composer } from './composer.tsx';
import { DraftsContext } from './drafts.ts';
import type { Begun } from './entries.ts';
import styles from './new-talk.module.css';
import { takesFiles } from './takes-files.ts';
import { TalkHeader } from './talk-header.tsx';
import { TemplateButton } from './template-button.tsx';
import { Thread } from './thread.tsx';
import { useDocumentTitle } from './use-document-title.ts';
import { useTalkRuntime } from './use-talk-runtime.ts';

export interface NewTalkProps {
  readonly api: Api;
  readonly agents: readonly AgentEntry[];
  readonly sessions: Sessions;
  /** Who is chosen by the address. */
  readonly agent?: string;
  readonly onBegun: (begun: Begun) => void;
  readonly onAside: () => void;
}

export function NewTalk({ api, agents, sessions, agent, onBegun, onAside }: NewTalkProps) {
  const ordered = useMemo(() => inOrder(agents), [agents]);
  const usual = useUsual(ordered, sessions);
  const chosen = agents.find(({ name }) => name === agent) ?? usual;
  useDocumentTitle(undefined);
  return (
    <main className={styles.talk}>
      <TalkHeader title="New conversation" onAside={onAside} />
      {chosen ? <Begin api={api} agents={ordered} chosen={chosen} onBegun={onBegun} /> : null}
      {agents.length === 0 ? <p className={styles.none}>This server has no agent that you may ask.</p> : null}
    </main>
  );
}

/** Those that others use come after those that nobody does. */
function inOrder(agents: readonly AgentEntry[]): readonly AgentEntry[] {
  return [...agents].sort((one, other) => Number(isUsed(one)) - Number(isUsed(other)));
}

function isUsed({ usedBy = [] }: AgentEntry): boolean {
  return usedBy.length > 0;
}

/** Whoever was asked last, once that is known. It stays the same while somebody writes to it, whoever else is asked meanwhile. */
function useUsual(agents: readonly AgentEntry[], { list, isRead }: Sessions): AgentEntry | undefined {
  const [usual, setUsual] = useState<AgentEntry>();
  if (usual || !isRead) return usual;
  const last = list.find(({ agent }) => agents.some(({ name }) => name === agent));
  const found = agents.find(({ name }) => name === last?.agent) ?? agents[0];
  if (found) setUsual(found);
  return found;
}

interface BeginProps {
  readonly api: Api;
  readonly agents: readonly AgentEntry[];
  readonly chosen: AgentEntry;
  readonly onBegun: (begun: Begun) => void;
}

function Begin({ api, agents, chosen, onBegun }: BeginProps) {
  const [budget, setBudget] = useState<Budget>({});
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const [focus, setFocus] = useState(1);
  const drafts = useContext(DraftsContext);
  const files = useMemo(() => takesFiles(chosen.attachments), [chosen]);
  const begin = async (input: unknown, attachments: readonly Attachment[]) => {
    setBusy(true);
    setFailure(undefined);
    try {
      const more = { ...(hasAny(budget) ? { budget } : {}), ...(attachments.length > 0 ? { attachments } : {}) };
      const standing = await api.start({ agent: chosen.name, input, ...more });
      const text = typeof input === 'string' ? input : JSON.stringify(input);
      const sent = { text, files: attachments.map((file) => ({ type: 'file' as const, ...file })), after: 0 };
      drafts.forgetForm(chosen.name);
      onBegun({ standing, sent });
      goFrom(undefined, { session: standing.id });
      return true;
    } catch (error) {
      setFailure(toFailure(error, 'What you wrote is still here: see whether the server is there, and send it again.'));
      setBusy(false);
      return false;
    }
  };
  const runtime = useTalkRuntime({ entries: none, isAtWork: isBusy, attachments: files, draft: 'new', onSend: begin });
  useEffect(() => {
    // Another agent may not take what was meant for the one before.
    if (!files) void runtime.thread.composer.clearAttachments();
  }, [files, runtime]);
  const { format, schema } = chosen.input;
  const limits = <BudgetFields value={budget} allowed={chosen.budget} onChange={setBudget} />;
  const form =
    format === 'json' && schema ? (
      <div className={styles.form}>
        {failure ? <Problem failure={failure} /> : null}
        <SchemaForm
          key={chosen.name}
          schema={schema}
          kept={drafts.form(chosen.name)}
          submitLabel="Ask"
          isBusy={isBusy}
          onSubmit={(value) => void begin(value, [])}
        />
        <div className={styles.limits}>{limits}</div>
      </div>
    ) : undefined;
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <Thread
        opening={
          <Opening
            api={api}
            agents={agents}
            chosen={chosen}
            onChoose={(name) => {
              setFocus(0);
              goTo({ agent: name });
            }}
            onDecide={() => setFocus((before) => before + 1)}
          >
            {form}
          </Opening>
        }
      >
        {form ? null : (
          <Composer
            placeholder={chosen.usage ?? `Ask ${chosen.name}`}
            takes={chosen.attachments}
            failure={failure}
            focus={focus}
            draft="new"
          >
            {limits}
          </Composer>
        )}
      </Thread>
    </AssistantRuntimeProvider>
  );
}

const none = [] as const;

interface OpeningProps extends Omit<BeginProps, 'onBegun'> {
  readonly onChoose: (name: string) => void;
  readonly onDecide: () => void;
  readonly children: ReactNode;
}

function Opening({ api, agents, chosen, onChoose, onDecide, children }: OpeningProps) {
  return (
    <div className={styles.opening}>
      {agents.length > 1 ? (
        <AgentPicker agents={agents} chosen={chosen.name} onChoose={onChoose} onDecide={onDecide} />
      ) : (
        <>
          <h2 className={styles.name}>{chosen.name}</h2>
          <p className={styles.description}>{chosen.description}</p>
        </>
      )}
      <TemplateButton
        api={api}
        agent={chosen.name}
        label={`Frontmatter of ${chosen.name}`}
        className={styles.template}
      />
      {children}
    </div>
  );
}

function hasAny(budget: Budget): boolean {
  return Object.keys(budget).length > 0;
}
