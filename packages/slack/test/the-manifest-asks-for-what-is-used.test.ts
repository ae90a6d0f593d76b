// The promise: the manifest asks Slack for exactly what the app uses, within Slack's limits, over a socket or over HTTP.

import type { AppsManifestValidateArguments } from '@slack/web-api';
import { expect, test } from 'vitest';
import { type ManifestOptions, toManifest } from '../src/manifest.ts';

type Manifest = Exclude<AppsManifestValidateArguments['manifest'], string>;

const options: ManifestOptions = { name: 'Desk', command: '/ask' };
const manifestOf = (others: Partial<ManifestOptions> = {}) => toManifest({ ...options, ...others }) as Manifest;

test('over a socket', () => {
  expect(manifestOf()).toEqual({
    display_information: { name: 'Desk', description: 'Asks the agents of Desk.' },
    features: {
      app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: 'desk', always_online: true },
      shortcuts: [
        { name: 'Ask Desk', type: 'message', callback_id: 'ask_bot', description: 'Hands this message to Desk' },
      ],
      slash_commands: [
        { command: '/ask', description: 'Asks Desk', usage_hint: '[your question]', should_escape: true },
      ],
    },
    oauth_config: {
      scopes: {
        bot: (
          'app_mentions:read chat:write commands channels:history groups:history im:history mpim:history ' +
          'channels:read groups:read im:read mpim:read im:write users:read files:read files:write'
        ).split(' '),
      },
    },
    settings: {
      event_subscriptions: {
        bot_events:
          'app_mention message.im message.mpim message.channels message.groups channel_rename group_rename'.split(' '),
      },
      interactivity: { is_enabled: true },
      org_deploy_enabled: false,
      socket_mode_enabled: true,
      token_rotation_enabled: false,
    },
  });
});

test('over HTTP every address is ours', () => {
  const url = 'https://agents.example.com/slack/events';
  for (const http of ['https://agents.example.com', 'https://agents.example.com//', url]) {
    const { features, settings } = manifestOf({ http });
    expect(settings).toMatchObject({
      socket_mode_enabled: false,
      event_subscriptions: { request_url: url },
      interactivity: { request_url: url },
    });
    expect(features?.slash_commands?.[0]?.url).toBe(url);
  }
});

test('whatever the name, it is inside the limits', () => {
  const long = `${'ä🙂'.repeat(200)} Ltd.`;
  const manifest = manifestOf({ name: long, description: long, command: 'a'.repeat(50) });
  const { display_information: display, features } = manifest;
  const [shortcut, command] = [features?.shortcuts?.[0], features?.slash_commands?.[0]];
  expect(display.name.length).toBeLessThanOrEqual(35);
  expect(display.description?.length).toBeLessThanOrEqual(140);
  expect(shortcut?.name.length).toBeLessThanOrEqual(24);
  expect(shortcut?.description.length).toBeLessThanOrEqual(150);
  expect(command?.command).toMatch(/^\/a{30}/);
  expect(command?.command.length).toBeLessThanOrEqual(32);
  expect(features?.bot_user?.display_name).toBe('ltd');
  expect(JSON.stringify(manifest)).not.toContain('\\ud');
  expect(manifestOf({ name: '🙂' }).features?.bot_user?.display_name).toBe('agent');
  expect(manifestOf({ name: 'My Desk (EU)' }).features?.bot_user?.display_name).toBe('my-desk-eu');
});
