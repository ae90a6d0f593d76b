// Who may press what: whoever asked, and those that are listed as admins.

import type { SlackSettings } from '../settings.ts';

export function hasLeave({ admins = [] }: SlackSettings, asker: string, user: string): boolean {
  return user === asker || admins.includes(user);
}
