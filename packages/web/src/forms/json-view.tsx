// Data as a table or a tree, or as it is.

import type { Json } from '@ai-agent/core';
import { useMemo, useState } from 'react';
import { CopyButton } from '../copying/copy-button.tsx';
import { JsonTable } from './json-table.tsx';
import { JsonTree } from './json-tree.tsx';
import styles from './json-view.module.css';
import { LongText } from './long-text.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { toText } from './parse-json.ts';
import { saveFile } from './save-file.ts';
import { toCsv, toTable } from './to-table.ts';

export interface JsonViewProps {
  /** Whatever JSON can say. */
  readonly value: unknown;
  /** What it is, for those who hear the page. */
  readonly label: string;
  /** Of the file that it is taken along as, without its ending. @default the label */
  readonly fileName?: string;
}

type Mode = 'Table' | 'Tree' | 'JSON';

/** For those who load it when it is needed. */
export default JsonView;

export function JsonView({ value: given, label, fileName = label }: JsonViewProps) {
  const value = (given ?? null) as Json;
  const table = useMemo(() => toTable(value), [value]);
  const [chosen, setMode] = useState<Mode>();
  const isHolder = typeof value === 'object' && value !== null;
  const modes: readonly Mode[] = [...(table ? ['Table' as const] : []), ...(isHolder ? ['Tree' as const] : []), 'JSON'];
  const mode = chosen !== undefined && modes.includes(chosen) ? chosen : (modes[0] ?? 'JSON');
  return (
    <section className={styles.view} aria-label={label}>
      <div className={styles.bar}>
        {modes.length > 1 ? (
          <ModeSwitch label={`How to show ${label}`} modes={modes} mode={mode} onMode={setMode} />
        ) : (
          <span />
        )}
        <div className={styles.actions}>
          <CopyButton className={styles.action} label="Copy JSON" toText={() => toText(value)} />
          {table && mode === 'Table' ? (
            <button
              type="button"
              className={styles.action}
              onClick={() => saveFile(`${fileName}.csv`, 'text/csv', toCsv(table))}
            >
              Download CSV
            </button>
          ) : null}
        </div>
      </div>
      {mode === 'Table' && table ? <JsonTable table={table} label={label} /> : null}
      {mode === 'Tree' ? <JsonTree value={value} label={`${label}, as a tree`} /> : null}
      {mode === 'JSON' ? <Text value={value} label={label} /> : null}
    </section>
  );
}

function Text({ value, label }: { readonly value: Json; readonly label: string }) {
  const text = useMemo(() => toText(value), [value]);
  return <LongText label={`${label} as JSON`} text={text} head={50_000} />;
}
