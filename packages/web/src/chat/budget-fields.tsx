// What a run may use at most, said before it begins.

import { useId, useState } from 'react';
import { countOf, durationOf, moneyOf } from '../app/time.ts';
import styles from './budget-fields.module.css';

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
    show: (n) => `${countOf(n)} tokens`,
    tell: (n) => `${n.toLocaleString('en-US')} tokens`,
  },
  { key: 'costUsd', label: 'Money', unit: 'US$', factor: 1, show: moneyOf, tell: moneyOf },
  { key: 'timeMs', label: 'Time', unit: 'seconds', factor: 1_000, show: durationOf, tell: durationOf },
];

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
  const isOpen = chosen ?? isWanted;
  const id = useId();
  const set = amounts.filter(({ key }) => value[key] !== undefined);
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
  return (
    <div className={styles.amount}>
      <label className={styles.label} htmlFor={`${id}-${key}`}>
        {label}
        {unit === '' ? null : <span className={styles.unit}> in {unit}</span>}
      </label>
      <input
        id={`${id}-${key}`}
        className={styles.input}
        type="number"
        inputMode="decimal"
        min={0}
        step={key === 'costUsd' ? 'any' : 1}
        placeholder={most === undefined ? 'no limit' : `at most ${(most / factor).toLocaleString('en-US')}`}
        value={value[key] === undefined ? '' : value[key] / factor}
        onChange={({ target }) => onChange(withAmount(value, key, target.value === '' ? NaN : +target.value * factor))}
      />
    </div>
  );
}

function withAmount(value: Budget, key: string, amount: number): Budget {
  const { [key]: _, ...others } = value;
  const isAmount = Number.isFinite(amount) && amount >= 0;
  return isAmount ? { ...others, [key]: key === 'costUsd' ? amount : Math.round(amount) } : others;
}
