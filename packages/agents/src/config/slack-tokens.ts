// The tokens of a Slack app: which there must be, and whether each is one of its kind. None of them is ever shown.

import type { Place, Problems } from '../problem.ts';

export interface SlackTokens {
  readonly botToken?: string;
  readonly appToken?: string;
  readonly signingSecret?: string;
}

/** What stands for a key of the section that is not there. */
export const slackVariables = {
  botToken: 'SLACK_BOT_TOKEN',
  appToken: 'SLACK_APP_TOKEN',
  signingSecret: 'SLACK_SIGNING_SECRET',
  apiUrl: 'SLACK_API_URL',
} as const;

export interface TokenCheck {
  readonly problems: Problems;
  /** Where a key of the section was said. */
  whereIs(field: keyof typeof slackVariables): Place;
}

export function checkSlackTokens(settings: SlackTokens & { readonly apiUrl?: string }, check: TokenCheck): void {
  const { botToken, appToken, signingSecret, apiUrl } = settings;
  const complain = (field: keyof typeof slackVariables, message: string) =>
    check.problems.add('error', { code: 'config-invalid', place: check.whereIs(field), message, remedy });
  const missing = missingOf(settings);
  const place = check.whereIs(botToken === undefined ? 'botToken' : 'appToken');
  if (missing !== undefined) check.problems.add('error', { code: 'secret-missing', place, message: missing, remedy });
  if (botToken !== undefined && appToken !== undefined && isOfApp(botToken) && isOfBot(appToken)) {
    complain(
      'botToken',
      `is the app token, and ${nameOf(check.whereIs('appToken'))} is the bot token; change them over`,
    );
    return;
  }
  if (botToken !== undefined && !isOfBot(botToken)) complain('botToken', `${whatIs(botToken)}; ${forms.botToken}`);
  if (appToken !== undefined && !isOfApp(appToken)) complain('appToken', `${whatIs(appToken)}; ${forms.appToken}`);
  if (signingSecret !== undefined && (isOfBot(signingSecret) || isOfApp(signingSecret) || !isWhole(signingSecret)))
    complain('signingSecret', `${whatIs(signingSecret)}; ${forms.signingSecret}`);
  if (apiUrl !== undefined && !/^https?:\/\/[^\s?#]+$/.test(apiUrl))
    complain('apiUrl', 'must be an address that begins with https:// or http://');
}

/** As it was said: a key of the section, or a variable. */
function nameOf({ file, key }: Place): string {
  return key?.replace(/^slack\./, '') ?? file;
}

const remedy =
  'Put it into .ai-agent.env beside the agent. docs/slack.md says where each is found; "ai-agent slack manifest" prints the app to create.';

const forms = {
  botToken: 'the bot token begins with xoxb-',
  appToken: 'the app-level token begins with xapp-',
  signingSecret: 'the signing secret is under Basic Information of the app',
} as const;

/** In one sentence, whatever is missing. */
function missingOf({ botToken, appToken, signingSecret }: SlackTokens): string | undefined {
  const hasEvents = appToken !== undefined || signingSecret !== undefined;
  const missing = [
    ...(botToken === undefined ? ['a bot token (slack.botToken, or SLACK_BOT_TOKEN)'] : []),
    ...(hasEvents ? [] : ['an app-level token (slack.appToken, or SLACK_APP_TOKEN)']),
  ];
  if (missing.length === 0) return undefined;
  const instead = hasEvents ? '' : '; with a signing secret instead (SLACK_SIGNING_SECRET), events come over HTTP';
  return `Slack needs ${missing.join(' and ')}${instead}`;
}

function whatIs(token: string): string {
  if (!isWhole(token)) return 'is a placeholder, or cut off: copy the whole of it';
  if (isOfBot(token)) return 'is a bot token';
  return isOfApp(token) ? 'is an app-level token' : 'is no such token';
}

/** Of letters that a token can have. */
function isWhole(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token) && !/\.\.\.$/.test(token);
}

function isOfBot(token: string): boolean {
  return /^(?:xoxe\.)?xoxb-[\w.-]+$/.test(token);
}

function isOfApp(token: string): boolean {
  return /^xapp-[\w.-]+$/.test(token);
}
