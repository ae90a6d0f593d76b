// The manifest of the Slack app for the chosen options: what it may, what it hears, and where.

import { head } from '@ai-agent/core';

export interface ManifestOptions {
  /** Of the app; Slack takes 35 characters. */
  readonly name: string;
  /** Slack takes 140 characters. */
  readonly description?: string | undefined;
  /** The slash command: `/ask`. */
  readonly command: string;
  /** Where Slack reaches us: `https://agents.example.com`. @default events come over a socket that we open */
  readonly http?: string | undefined;
}

/** As plain data, for JSON. */
export function toManifest({ name, description, command, http }: ManifestOptions): object {
  const requestUrl = http === undefined ? undefined : `${http.replace(/(?:\/slack\/events)?\/*$/, '')}/slack/events`;
  const words = description ?? `Asks the agents of ${name}.`;
  return {
    display_information: { name: cut(name, 35), description: cut(words, 140) },
    features: {
      app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: toDisplayName(name), always_online: true },
      shortcuts: [
        {
          name: cut(`Ask ${name}`, 24),
          type: 'message',
          callback_id: 'ask_bot',
          description: cut(`Hands this message to ${name}`, 150),
        },
      ],
      slash_commands: [
        {
          command: cut(`/${command.replace(/^\/+/, '')}`, 32),
          ...(requestUrl === undefined ? {} : { url: requestUrl }),
          description: cut(`Asks ${name}`, 2000),
          usage_hint: '[your question]',
          // Mentions and channels come with their ids, as they do in messages.
          should_escape: true,
        },
      ],
    },
    oauth_config: { scopes: { bot: scopes } },
    settings: {
      event_subscriptions: { ...(requestUrl === undefined ? {} : { request_url: requestUrl }), bot_events: events },
      interactivity: { is_enabled: true, ...(requestUrl === undefined ? {} : { request_url: requestUrl }) },
      org_deploy_enabled: false,
      socket_mode_enabled: requestUrl === undefined,
      token_rotation_enabled: false,
    },
  };
}

const scopes = [
  'app_mentions:read',
  'chat:write',
  'commands',
  'channels:history',
  'groups:history',
  'im:history',
  'mpim:history',
  'channels:read',
  'groups:read',
  'im:read',
  'mpim:read',
  'im:write',
  'users:read',
  'files:read',
  'files:write',
];

const events = [
  'app_mention',
  'message.im',
  'message.mpim',
  'message.channels',
  'message.groups',
  'channel_rename',
  'group_rename',
];

/** With its ellipsis inside the bound. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : head(text, length - 1);
}

/** Slack takes small letters, digits, dashes, dots and underscores: at most 80. */
function toDisplayName(name: string): string {
  const safe = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return safe.slice(0, 80) || 'agent';
}
