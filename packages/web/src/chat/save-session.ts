// Everything that is known of a session, as a file on the disk of whoever looks on.

import type { Api } from '../server/api.ts';
import type { Standing } from '../server/documents.ts';

export async function saveSession(api: Api, { id, agent }: Standing): Promise<undefined> {
  const blob = new Blob([await api.whole(id)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${agent}-${id}.json`.replace(/[^\w.-]+/g, '-');
  link.click();
  // Browsers read it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return undefined;
}
