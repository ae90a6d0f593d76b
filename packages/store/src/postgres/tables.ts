// Statements, with the names of our tables in them.

import { escapeIdentifier } from './text.ts';

export class Tables {
  readonly schema: string;

  constructor(schema: string) {
    this.schema = schema;
  }

  /** `{sessions}` is the table of that name, wherever it is; `{schema}` where they all are. */
  name(statement: string): string {
    const schema = escapeIdentifier(this.schema);
    return statement.replace(/\{(\w+)\}/g, (_, table: string) => (table === 'schema' ? schema : `${schema}.${table}`));
  }
}
