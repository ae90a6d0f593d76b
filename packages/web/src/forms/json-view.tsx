// A JSON report as its text.

export interface JsonViewProps {
  readonly value: unknown;
  readonly label: string;
}

export function JsonView({ value, label }: JsonViewProps) {
  return (
    <section aria-label={label}>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </section>
  );
}
