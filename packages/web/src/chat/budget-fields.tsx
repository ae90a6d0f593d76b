// What a run may use at most, said before it begins.

import { shortCount } from '@ai-agent/core';
import { useId, useState } from 'react';
import { durationOf } from '../app/time.ts';
import styles from './budget-fields.module.css';

/** What was typed and is no amount is `NaN`, and is not sent. */
export type Budget = Readonly<Record<string, number>>;

/** How an amount is called, typed and told. */
export interface Amount {
  readonly key: string;
  readonly label: string;
  readonly unit: string;
  readonly factor: number;
  readonly show: (amount: number) => string;
  readonly tell: (amount: number) => string;
}

/** Amounts that people think in. */
export const amounts: readonly Amount[] = [
  {
    key: 'tokens',
    label: 'Tokens',
    unit: '',
    factor: 1,
    show: (n) => `${shortCount(n)} tokens`,
    tell: (n) => `${n.toLocaleString('en-US')} tokens`,
  },
  { key: 'costUsd', label: 'Money', unit: 'US$', factor: 1, show: inDollars, tell: inDollars },
  { key: 'timeMs', label: 'Time', unit: 'seconds', factor: 1_000, show: durationOf, tell: durationOf },
];

/** `$0.50`, `$0.0042`. */
function inDollars(amount: number): string {
  return `$${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`;
}

export interface BudgetFieldsProps {
  readonly value: Budget;
  /** What the file of the agent allows at most. */
  readonly allowed: Budget | undefined;
  readonly onChange: (budget: Budget) => void;
  /** It is what was said before, and holds on. */
  readonly isAsBefore?: boolean;
  /** It is what has to be changed: open unless somebody closes it. */
  readonly isWanted?: boolean;
}

export function BudgetFields({ value, allowed, onChange, isAsBefore, isWanted = false }: BudgetFieldsProps) {
  const [chosen, setOpen] = useState<boolean>();
  const id = useId();
  const isOpen = (chosen ?? isWanted) || Object.values(value).some(Number.isNaN);
  const set = amounts.filter(({ key }) => value[key] !== undefined && !Number.isNaN(value[key]));
  const summary = set.map(({ key, show }) => show(value[key] ?? 0)).join(', ');
  return (
    <div className={styles.budget} data-open={isOpen}>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {summary === '' ? 'Limits' : `Limits: at most ${summary}`}
      </button>
      <div id={id} className={styles.fields} hidden={!isOpen}>
        <AmountInputs value={value} allowed={allowed} onChange={onChange} />
        {isAsBefore && summary !== '' ? (
          <p className={styles.note}>As before: for each message anew. Empty is no limit.</p>
        ) : null}
      </div>
    </div>
  );
}

function AmountInputs({ value, allowed, onChange }: BudgetFieldsProps) {
  return amounts.map((amount) => (
    <AmountInput key={amount.key} amount={amount} value={value} allowed={allowed} onChange={onChange} />
  ));
}

export interface AmountInputProps extends BudgetFieldsProps {
  readonly amount: Amount;
}

export function AmountInput({ amount, value, allowed, onChange }: AmountInputProps) {
  const id = useId();
  const { key, label, unit, factor } = amount;
  const most = allowed?.[key];
  const [typed, setText] = useState('');
  const text = textFor(amount, value[key], typed);
  const problem = problemOf(amount, text);
  const onText = (now: string) => {
    setText(now);
    onChange(withAmount(value, amount, now));
  };
  return (
    <div className={styles.amount}>
      <label className={styles.label} htmlFor={`${id}-${key}`}>
        {label}
        {unit === '' ? null : <span className={styles.unit}> in {unit}</span>}
      </label>
      <input
        id={`${id}-${key}`}
        className={styles.input}
        // As text: a field of numbers would forget what is none.
        type="text"
        inputMode="decimal"
        autoComplete="off"
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        placeholder={most === undefined ? 'no limit' : `at most ${(most / factor).toLocaleString('en-US')}`}
        value={text}
        onChange={({ target }) => onText(target.value)}
      />
      {problem === undefined ? null : (
        <p id={`${id}-problem`} className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** What was typed, as long as it says what holds: that may be told from elsewhere. */
function textFor(amount: Amount, value: number | undefined, typed: string): string {
  if (Number.isNaN(value)) return typed;
  const said = typed.trim() === '' ? undefined : read(amount, typed);
  if (said === value) return typed;
  return value === undefined ? '' : String(value / amount.factor);
}

function withAmount(value: Budget, amount: Amount, text: string): Budget {
  const { [amount.key]: _, ...others } = value;
  if (text.trim() === '') return others;
  return { ...others, [amount.key]: problemOf(amount, text) === undefined ? read(amount, text) : Number.NaN };
}

function problemOf(amount: Amount, text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const number = read(amount, text);
  if (!Number.isFinite(number)) return 'This is not a number.';
  if (number < 0) return 'It cannot be less than 0.';
  return amount.key === 'costUsd' || Number.isInteger(number) ? undefined : 'It has to be a whole number.';
}

/** Seconds are told to the millisecond: 1.001 of them are no more than that. */
function read({ factor }: Amount, text: string): number {
  return Number((Number(text) * factor).toPrecision(15));
}
