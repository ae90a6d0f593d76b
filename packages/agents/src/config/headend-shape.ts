// The keys of `.ai-agent.json` for those who serve agents: api and embed.

import { scalar } from '../options/kind.ts';
import { duration, isTrue, names, text, whole } from '../options/kinds.ts';
import { settings, table } from './config-kinds.ts';
import { apiKeys, bearerKeys, origins } from './key-kinds.ts';

/** A word that is spelt wrong is an error: it may be the one that closes the door. */
export const api = settings(
  {
    enabled: isTrue,
    host: text,
    port: whole(0, 65_535),
    keys: apiKeys,
    bearerKeys,
    cors: origins,
    hosts: names,
    concurrency: whole(1),
    waiting: whole(0),
    maxBodyBytes: whole(1),
    mcpPrompts: isTrue,
    showActivity: isTrue,
    graceMs: scalar(`0, or ${duration.allowed}`, (value) => (value === 0 ? 0 : duration.parse(value))),
  },
  { unknown: 'error' },
);

const rateLimit = settings({ enabled: isTrue, requestsPerMinute: whole(0), burstSize: whole(0) });

const tierLimit = settings({
  requestsPerMinute: whole(0),
  requestsPerMinutePerGuid: whole(0),
  requestsPerMinutePerIp: whole(0),
});

export const embed = table(
  settings({
    allowedAgents: names,
    concurrency: whole(1),
    corsOrigins: names,
    rateLimit,
    auth: settings({
      tiers: settings({
        netdataProperties: settings({ origins: names, rateLimit: tierLimit }),
        agentDashboards: settings({ requireGuid: isTrue, verifyGuidInCloud: isTrue, rateLimit: tierLimit }),
        unknown: settings({ allow: isTrue, rateLimit: tierLimit }),
      }),
      signedTokens: settings({ enabled: isTrue, secret: text, ttlSeconds: whole(1) }),
    }),
    metrics: settings({ enabled: isTrue, path: text }),
  }),
);
