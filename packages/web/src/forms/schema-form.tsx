// A form for a JSON Schema, or its JSON: both show the same value.

import type { Json, JsonSchema } from '@ai-agent/core';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { Draft } from './draft.ts';
import type { Field } from './field.ts';
import styles from './forms.module.css';
import { JsonArea } from './json-area.tsx';
import type { KeptFilling } from './kept-filling.ts';
import { ModeSwitch } from './mode-switch.tsx';
import { parseJson, toText } from './parse-json.ts';
import { Part, Properties } from './part.tsx';
import { isUnreadable, problemsIn } from './problems-in.ts';
import { toDraft, toFirstDraft } from './to-draft.ts';
import { toField } from './to-field.ts';
import { toValue } from './to-value.ts';

export interface SchemaFormProps {
  readonly schema: JsonSchema;
  /** What it begins with. @default what the schema says */
  readonly value?: Json;
  /** What is asked for, where the schema does not say. @default Value */
  readonly label?: string;
  /** Where what is filled in is kept while the form is not shown. */
  readonly kept?: KeptFilling;
  readonly submitLabel: string;
  readonly isBusy: boolean;
  readonly onSubmit: (value: Json) => void;
}

/** For those who load it when it is needed. */
export default SchemaForm;

export function SchemaForm(props: SchemaFormProps) {
  const { schema, label = 'Value', submitLabel, isBusy, onSubmit } = props;
  const form = useRef<HTMLFormElement>(null);
  const filling = useFilling(schema, props);
  const { field, draft, text, problems, tries } = filling;
  useEffect(() => {
    if (tries > 0) focusProblem(form.current);
  }, [tries]);

  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    const given = isBusy ? undefined : filling.give();
    if (given !== undefined) onSubmit(given);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
  };
  const shared = { isRequired: true, path: '', problems, isTried: tries > 0, draft, onDraft: filling.onDraft };
  const isWrong = tries > 0 && problems.size > 0;
  return (
    <form ref={form} className={styles.form} noValidate onSubmit={submit} onKeyDown={onKeyDown}>
      <div className={styles.bar}>
        <span className={styles.note}>{hasNeeded(field) && text === undefined ? '* is needed' : ''}</span>
        <ModeSwitch
          label="How to fill it in"
          modes={modes}
          mode={text === undefined ? 'Form' : 'JSON'}
          onMode={filling.onMode}
        />
      </div>
      {text !== undefined ? (
        <Whole label={label} text={text} problem={filling.textProblem} onText={filling.onText} />
      ) : null}
      {text === undefined && field.type === 'object' && draft.type === 'object' ? (
        <div className={styles.fields}>
          {field.description === undefined ? null : <p className={styles.help}>{field.description}</p>}
          <Properties {...shared} field={field} />
        </div>
      ) : null}
      {text === undefined && !(field.type === 'object' && draft.type === 'object') ? (
        <Part {...shared} field={field} label={field.title ?? label} />
      ) : null}
      <div className={styles.bar}>
        <button type="submit" className={styles.main} disabled={isBusy}>
          {submitLabel}
        </button>
        <p className={styles.problem} role="status">
          {isWrong && text === undefined ? sayHowMany(problems.size) : ''}
        </p>
      </div>
    </form>
  );
}

const modes = ['Form', 'JSON'] as const;

interface Filling {
  readonly field: Field;
  readonly draft: Draft;
  /** Of the whole, while it is written as JSON. */
  readonly text: string | undefined;
  readonly textProblem: string | undefined;
  readonly problems: ReadonlyMap<string, string>;
  /** How often somebody wanted to go on with what is not right yet. */
  readonly tries: number;
  readonly onDraft: (draft: Draft) => void;
  readonly onText: (text: string) => void;
  readonly onMode: (mode: (typeof modes)[number]) => void;
  /** The value, if it is one. */
  readonly give: () => Json | undefined;
}

function useFilling(schema: JsonSchema, { value, kept = {} }: Pick<SchemaFormProps, 'value' | 'kept'>): Filling {
  const field = useMemo(() => toField(schema), [schema]);
  const [draft, onDraft] = useState(
    () => kept.filled?.draft ?? (value === undefined ? toFirstDraft(field, true) : toDraft(field, value)),
  );
  const [text, setText] = useState(kept.filled?.text);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) kept.filled = { draft, text };
    isFirst.current = false;
  }, [kept, draft, text]);
  const [textProblem, setTextProblem] = useState<string>();
  const [tries, setTries] = useState(0);
  const problems = useMemo(() => problemsIn(field, draft), [field, draft]);
  const again = () => setTries((count) => count + 1);

  const onText = (typed: string) => {
    setText(typed);
    setTextProblem(undefined);
  };
  const read = (typed: string): Json | undefined => {
    const parsed = parseJson(typed);
    setTextProblem('problem' in parsed ? parsed.problem : undefined);
    if ('value' in parsed) return parsed.value;
    again();
    return undefined;
  };
  const onMode = (mode: (typeof modes)[number]) => {
    if (mode === 'JSON') {
      // What is not JSON yet would be lost.
      if (isUnreadable(field, draft)) return again();
      return onText(toText(toValue(field, draft) ?? null));
    }
    const written = text === undefined ? undefined : read(text);
    if (written === undefined) return;
    onDraft(toDraft(field, written));
    setText(undefined);
    setTries(0);
  };
  const give = () => {
    if (text !== undefined) return read(text);
    if (problems.size > 0) again();
    return problems.size > 0 ? undefined : toValue(field, draft);
  };
  return { field, draft, text, textProblem, problems, tries, onDraft, onText, onMode, give };
}

interface WholeProps {
  readonly label: string;
  readonly text: string;
  readonly problem: string | undefined;
  readonly onText: (text: string) => void;
}

function Whole({ label, text, problem, onText }: WholeProps) {
  const id = useId();
  const described = problem === undefined ? undefined : `${id}-problem`;
  const ties = { id, 'aria-required': true, 'aria-invalid': problem !== undefined, 'aria-describedby': described };
  return (
    <div className={styles.part}>
      <label className="unseen" htmlFor={id}>
        {label} as JSON
      </label>
      <JsonArea ties={ties} text={text} lines={6} onText={onText} />
      {problem === undefined ? null : (
        <p id={described} className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}

function hasNeeded(field: Field): boolean {
  return field.type === 'object' && field.properties.some(({ isRequired }) => isRequired);
}

function sayHowMany(count: number): string {
  return count === 1 ? 'One thing needs another look.' : `${count} things need another look.`;
}

function focusProblem(form: HTMLFormElement | null): void {
  const found = form?.querySelector<HTMLElement>(
    '[aria-invalid="true"], [data-problem] :is(input, select, textarea, button)',
  );
  found?.focus({ preventScroll: true });
  found?.scrollIntoView({ block: 'nearest' });
}
