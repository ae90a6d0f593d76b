// Agents in Slack: the whole surface of the package, by hand.

export type { AskAgain, AskAnswer, AskFurther, AskNew, Desk, DeskAgent, DeskAsked, DeskRun } from './desk.ts';
export { openSlack, type Slack, type SlackOptions } from './headend.ts';
export type { SlackLog } from './log.ts';
export type {
  ContextPolicy,
  Engagement,
  SlackDeny,
  SlackRoute,
  SlackRouting,
  SlackRule,
  SlackSettings,
  SlackTemplates,
} from './settings.ts';
