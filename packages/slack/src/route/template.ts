// Templates of prompts: names in braces, filled in one pass, so that what people wrote is never read as a template.

import type { Engagement, SlackTemplates } from '../settings.ts';

export interface TemplateValues {
  readonly 'channel.name': string;
  readonly 'channel.id': string;
  readonly 'user.id': string;
  readonly 'user.label': string;
  readonly ts: string;
  readonly text: string;
  readonly 'message.url': string;
}

/** What has no value stays as it is written. */
export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replace(/\{([a-z.]+)\}/g, (written, name: string) =>
    Object.hasOwn(values, name) ? values[name as keyof TemplateValues] : written,
  );
}

export function templateKind(engagement: Engagement): keyof SlackTemplates {
  return kinds[engagement];
}

const kinds = { mentions: 'mention', dms: 'dm', 'channel-posts': 'channelPost' } as const;
