// How Slack is set up: what the section `slack` of the configuration, variables and flags come to.

export type Engagement = 'mentions' | 'dms' | 'channel-posts';

export interface SlackSettings {
  /** `xoxb-…` */
  readonly botToken: string;
  /** `xapp-…`: events come over a socket that we open. @default they come over HTTP, and `signingSecret` must be there */
  readonly appToken?: string | undefined;
  readonly signingSecret?: string | undefined;
  /** @default https://slack.com/api/ */
  readonly apiUrl?: string | undefined;
  /** Whether a mention is answered where no `engage` of a rule or of the default names mentions. @default true */
  readonly mentions?: boolean | undefined;
  /** The same of direct messages. @default true */
  readonly dms?: boolean | undefined;
  /** Whether replies in our threads are for us without a mention. @default false: only answers to what was asked are */
  readonly threadReplies?: boolean | undefined;
  /** How often one message is edited while its run works. @default 2000 */
  readonly updateIntervalMs?: number | undefined;
  /** `auto` writes by Slack's streaming calls, and by edits where those are refused. @default auto */
  readonly streaming?: 'auto' | 'edits' | undefined;
  /** Messages of the thread or channel that come with a request. @default 100 */
  readonly historyLimit?: number | undefined;
  /** Characters of them. @default 100000 */
  readonly historyCharsCap?: number | undefined;
  /** Ids of people who may stop, cancel and answer what others asked. @default nobody */
  readonly admins?: readonly string[] | undefined;
  /** The slash command. @default /ask */
  readonly command?: string | undefined;
  /** Where people find the page: `https://agents.example.com`. @default no link to a timeline */
  readonly pageUrl?: string | undefined;
  readonly routing?: SlackRouting | undefined;
}

export interface SlackRouting {
  /** First, and for everything. */
  readonly deny?: readonly SlackDeny[] | undefined;
  /** The first that fits. */
  readonly rules?: readonly SlackRule[] | undefined;
  readonly default?: SlackRoute | undefined;
}

export interface SlackDeny {
  /** `#name`, `name`, an id in capitals, or a glob of either; `*` is everything, direct messages too. A channel whose name cannot be found is denied by any name. @default everywhere */
  readonly channels?: readonly string[] | undefined;
  /** @default everything */
  readonly engage?: readonly Engagement[] | undefined;
}

export interface SlackRoute {
  /** The name of one that is served, or its file. @default the first that is served */
  readonly agent?: string | undefined;
  /** Shortcuts and commands count as mentions. @default mentions and direct messages; of a rule that names channels, posts there too */
  readonly engage?: readonly Engagement[] | undefined;
  readonly promptTemplates?: SlackTemplates | undefined;
  /** What comes with a request. @default the thread; at the root of a channel or of direct messages, what was said there */
  readonly contextPolicy?: ContextPolicy | undefined;
}

export interface SlackRule extends SlackRoute {
  readonly enabled?: boolean | undefined;
  /** As those of `deny`; a channel whose name cannot be found fits no name. @default everywhere */
  readonly channels?: readonly string[] | undefined;
  /** Whether posts of other bots are answered too; our own never are. @default false */
  readonly bots?: boolean | undefined;
}

export interface SlackTemplates {
  readonly mention?: string | undefined;
  readonly dm?: string | undefined;
  readonly channelPost?: string | undefined;
}

export type ContextPolicy = 'none' | 'thread' | 'channel';
