// Plain data as YAML, one value a line, for people to read and to paste.

import { stringify } from 'yaml';

export function toYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}
