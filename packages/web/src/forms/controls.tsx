// What a single value is filled in with.

import type { KeyboardEvent } from 'react';
import type { Draft } from './draft.ts';
import { readNumber } from './draft.ts';
import type { BooleanField, ChoiceField, Field, NumberField, SomeOfField, TextField } from './field.ts';
import styles from './forms.module.css';
import { GrowArea } from './grow-area.tsx';
import { toInstant, toLocalTime } from './local-time.ts';
import { toEmptyDraft } from './to-draft.ts';

export interface ControlProps<F extends Field> {
  readonly field: F;
  readonly draft: Draft;
  readonly isRequired: boolean;
  readonly onDraft: (draft: Draft) => void;
  /** What ties it to its label, its help and its problem. */
  readonly ties: Ties;
}

export interface Ties {
  readonly id: string;
  readonly 'aria-required': boolean;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
  readonly onBlur?: (() => void) | undefined;
}

export function TextControl({ field, draft, isRequired, onDraft, ties }: ControlProps<TextField>) {
  const text = draft.type === 'text' ? draft.text : '';
  const onText = (typed: string) =>
    onDraft(typed === '' ? toEmptyDraft(field, isRequired) : { type: 'text', text: typed });
  const placeholder = typeof field.example === 'string' ? field.example : undefined;
  if (field.isLong)
    return (
      <GrowArea
        {...ties}
        value={text}
        placeholder={placeholder}
        onText={onText}
        onKeyDown={field.hasLines || text.includes('\n') ? undefined : submitOnEnter}
      />
    );
  const isInstant = field.format === 'date-time' && toLocalTime(text) !== undefined;
  const type = isInstant ? 'datetime-local' : typeOf(field);
  return (
    <input
      {...ties}
      className={styles.input}
      data-narrow={type === 'date' || isInstant}
      type={type}
      autoComplete="off"
      placeholder={placeholder}
      value={isInstant ? toLocalTime(text) : text}
      onChange={({ target }) => onText(isInstant ? toInstant(target.value) : target.value)}
    />
  );
}

/** As in any field of one line; Shift and Enter begin another. */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.nativeEvent.isComposing;
  if (event.key !== 'Enter' || !isPlain) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** What the field of a date cannot show is shown as the text that it is. */
function typeOf({ format }: TextField): string {
  const types = { email: 'email', uri: 'url', date: 'date', 'date-time': 'text' };
  return format === undefined ? 'text' : types[format];
}

/** As text: a field of numbers would forget what is not one yet. */
export function NumberControl({ field, draft, isRequired, onDraft, ties }: ControlProps<NumberField>) {
  const text = draft.type === 'number' ? draft.text : '';
  const onText = (typed: string) =>
    onDraft(typed === '' ? toEmptyDraft(field, isRequired) : { type: 'number', text: typed });
  const number = readNumber(text);
  const onKeyDown = (event: KeyboardEvent) => {
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (way === undefined || (number === undefined && text !== '')) return;
    event.preventDefault();
    onText(String(toNext(field, number, way)));
  };
  return (
    <input
      {...ties}
      className={styles.input}
      data-narrow
      type="text"
      role="spinbutton"
      inputMode={(field.min ?? -1) < 0 ? 'text' : field.isInteger ? 'numeric' : 'decimal'}
      autoComplete="off"
      aria-valuemin={field.min}
      aria-valuemax={field.max}
      aria-valuenow={number}
      placeholder={typeof field.example === 'number' ? String(field.example) : undefined}
      value={text}
      onChange={(event) => onText(event.target.value)}
      onKeyDown={onKeyDown}
    />
  );
}

function toNext({ step = 1, min, max }: NumberField, from: number | undefined, way: number): number {
  const next = from === undefined ? Math.max(0, min ?? 0) : from + way * step;
  const bounded = Math.min(max ?? Number.POSITIVE_INFINITY, Math.max(min ?? Number.NEGATIVE_INFINITY, next));
  return Number(bounded.toPrecision(12));
}

export function BooleanControl({ field, draft, isRequired, onDraft, ties }: ControlProps<BooleanField>) {
  const index = draft.type === 'boolean' ? (draft.value ? 0 : 1) : undefined;
  const onIndex = (chosen: number | undefined) =>
    onDraft(chosen === undefined ? toEmptyDraft(field, isRequired) : { type: 'boolean', value: chosen === 0 });
  return (
    <Select ties={ties} titles={yesNo} index={index} isRequired={isRequired && !field.isNullable} onIndex={onIndex} />
  );
}

const yesNo = ['Yes', 'No'];

export function ChoiceControl({ field, draft, isRequired, onDraft, ties }: ControlProps<ChoiceField>) {
  const index = draft.type === 'choice' ? draft.index : undefined;
  const onIndex = (chosen: number | undefined) =>
    onDraft(chosen === undefined ? toEmptyDraft(field, isRequired) : { type: 'choice', index: chosen });
  const titles = field.options.map(({ title }) => title);
  return (
    <Select ties={ties} titles={titles} index={index} isRequired={isRequired && !field.isNullable} onIndex={onIndex} />
  );
}

export interface SelectProps {
  readonly ties: Ties;
  readonly titles: readonly string[];
  readonly index: number | undefined;
  readonly isRequired: boolean;
  readonly onIndex: (index: number | undefined) => void;
}

export function Select({ ties, titles, index, isRequired, onIndex }: SelectProps) {
  return (
    <select
      {...ties}
      className={styles.select}
      value={index ?? ''}
      onChange={({ target }) => onIndex(target.value === '' ? undefined : Number(target.value))}
    >
      <option value="">{isRequired ? 'Choose…' : 'Not given'}</option>
      {titles.map((title, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are what the schema says, in its order
        <option key={i} value={i}>
          {title}
        </option>
      ))}
    </select>
  );
}

/** The few of a short list, all in sight; what has no other is said. */
export function Radios({
  name,
  field,
  draft,
  onDraft,
}: Omit<ControlProps<ChoiceField>, 'ties' | 'isRequired'> & { readonly name: string }) {
  const index = draft.type === 'choice' ? draft.index : undefined;
  if (field.options.length === 1 && index === 0) return <p className={styles.fixed}>{field.options[0]?.title}</p>;
  return (
    <div className={styles.options}>
      {field.options.map(({ title, description }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are what the schema says, in its order
        <label key={i} className={styles.option}>
          <input
            type="radio"
            name={name}
            checked={index === i}
            onChange={() => onDraft({ type: 'choice', index: i })}
          />
          <Said title={title} description={description} />
        </label>
      ))}
    </div>
  );
}

export function SomeOfControl({ field, draft, onDraft }: Omit<ControlProps<SomeOfField>, 'ties' | 'isRequired'>) {
  const indexes = draft.type === 'some-of' ? draft.indexes : [];
  const toggle = (i: number) =>
    onDraft({ type: 'some-of', indexes: indexes.includes(i) ? indexes.filter((one) => one !== i) : [...indexes, i] });
  return (
    <div className={styles.options}>
      {field.options.map(({ title, description }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are what the schema says, in its order
        <label key={i} className={styles.option}>
          <input type="checkbox" checked={indexes.includes(i)} onChange={() => toggle(i)} />
          <Said title={title} description={description} />
        </label>
      ))}
    </div>
  );
}

function Said({ title, description }: { readonly title: string; readonly description: string | undefined }) {
  return (
    <span>
      {title}
      {description === undefined ? null : <span className={styles.help}> {description}</span>}
    </span>
  );
}
