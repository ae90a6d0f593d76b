// The keys of the section `slack`: how agents are in Slack, who is asked where, and what one person may.

import { complain, type Given, type Kind, scalar } from '../options/kind.ts';
import { choice, duration, isTrue, names, text, toWord, whole } from '../options/kinds.ts';
import { choices, listOf, settings } from './config-kinds.ts';
import { bounds } from './key-kinds.ts';
import { variablesIn } from './variables.ts';

const engage = choices('mentions', 'dms', 'channel-posts');

const policies = choice('none', 'thread', 'channel');

/** Older configurations have an object here, which never did anything: it does no harm. A word that is none of ours may be meant to keep what was said from a model. */
const contextPolicy: Kind = {
  allowed: policies.allowed,
  read(given) {
    const { at, place, problems } = given;
    const known = policies.parse(at.value);
    if (known !== undefined) return known;
    if (!at.fields) return doubt(given, `must be ${policies.allowed}`);
    problems.warn('key-idle', place, `has no effect: it is ${policies.allowed}`);
    return undefined;
  },
};

/** What is wrong to who connects; to who only reads the file it does no harm. */
function doubt<T>({ problems, place }: Given, message: string): T | undefined {
  problems.warn('config-invalid', place, message);
  return undefined;
}

const templateFields = ['text', 'channel.name', 'channel.id', 'user.id', 'user.label', 'ts', 'message.url'];

/** What looks like a field and is none may be spelt wrong, or meant: it reaches the model as it stands. */
const template: Kind<string> = {
  allowed: `text with any of ${templateFields.map((name) => `{${name}}`).join(', ')}`,
  read(given) {
    const written = text.read(given);
    const fields = [...(written ?? '').matchAll(/\{([a-z]+(?:\.[a-z]+)*)\}/g)];
    const strange = fields.find(([, name = '']) => !templateFields.includes(name));
    if (strange)
      given.problems.warn('key-idle', given.place, `has ${strange[0]}, which is not filled in: it is ${this.allowed}`);
    return written;
  },
};

/** A list of none would fit nothing, where nothing at all is said to fit everything. */
const channels: Kind<readonly string[]> = {
  allowed: names.allowed,
  read(given) {
    const read = names.read(given);
    if (read?.length === 0) return doubt(given, 'must name a channel; leave it out for all of them');
    // One that no channel can be called would shut out nobody, and nobody would know.
    const known = read?.filter((pattern) => variablesIn(pattern).length === 0) ?? [];
    const strange = known.find((pattern) => !/^#?[\p{L}\p{M}\p{N}_.*?-]+$/u.test(pattern));
    if (strange !== undefined)
      return doubt(
        given,
        `has "${strange}", which fits no channel: names and ids, where * is any letters and ? is one`,
      );
    const small = known.find((pattern) => /^[cdg]0[a-z0-9]{6,}$/.test(pattern));
    if (small === undefined) return read;
    return doubt(
      given,
      `has "${small}", which looks like an id: ids are in capitals, and a name like one is #${small}`,
    );
  },
};

/** Of a rule that shuts out: with none of them it would shut out nobody. */
const shutOut: Kind = {
  allowed: engage.allowed,
  read(given) {
    const read = engage.read(given);
    const isNone = Array.isArray(read) && read.length === 0;
    return isNone ? doubt(given, 'must name what it shuts out; leave it out for everything') : read;
  },
};

/** What is null is not there: but a rule may have been meant, and others would take its place. */
function rulesOf(kind: Kind): Kind {
  const rules = listOf(kind);
  return {
    allowed: rules.allowed,
    read(given) {
      const { value } = given.at;
      if (Array.isArray(value) && value.includes(null))
        doubt(given, 'has a rule that is null; write it, or take it out');
      return rules.read(given);
    },
  };
}

/** By their names anybody could be one: names are what people call themselves. */
const admins: Kind<readonly string[]> = {
  allowed: 'ids of people, such as U012ABCDEF',
  read(given) {
    const read = names.read(given);
    const strange = read?.find((one) => variablesIn(one).length === 0 && !/^[UW][A-Z0-9]+$/.test(one));
    if (strange === undefined) return read;
    return doubt(given, `has ${strange}, which is no id: "Copy member ID" is in the menu of a profile in Slack`);
  },
};

const route = {
  agent: text,
  engage,
  promptTemplates: settings({ mention: template, dm: template, channelPost: template }),
  contextPolicy,
};

/** As Slack takes them; the slash may be left out. */
const command = scalar('a command such as /ask: at most 31 small letters, digits, _ and -', (value) => {
  const [, name] = /^\/?([a-z\d_-]{1,31})$/.exec(toWord(value)) ?? [];
  return name === undefined ? undefined : `/${name}`;
});

/** What was found is not shown: it may hold a password. */
const address: Kind<string> = {
  allowed: 'an address that begins with https:// or http://',
  read(given) {
    const { value } = given.at;
    if (typeof value === 'string' && variablesIn(value).length > 0) return value;
    const url = URL.parse(String(value).trim());
    const isFit = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
    return isFit ? url.href.replace(/\/$/, '') : complain(given, `must be ${this.allowed}, without ? and #`);
  },
};

export const slack = settings({
  enabled: isTrue,
  botToken: text,
  appToken: text,
  signingSecret: text,
  apiUrl: address,
  key: text,
  perUser: bounds,
  concurrency: whole(1),
  admins,
  mentions: isTrue,
  dms: isTrue,
  threadReplies: isTrue,
  streaming: choice('auto', 'edits'),
  command,
  pageUrl: address,
  updateIntervalMs: duration,
  historyLimit: whole(0),
  historyCharsCap: whole(0),
  openerTone: choice('random', 'cheerful', 'formal', 'busy'),
  routing: settings({
    default: settings(route),
    rules: rulesOf(settings({ ...route, enabled: isTrue, channels, bots: isTrue })),
    deny: rulesOf(settings({ channels, engage: shutOut })),
  }),
});
