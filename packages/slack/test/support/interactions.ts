// What people do with buttons, shortcuts, commands and forms, as Slack words it.
import { randomUUID } from 'node:crypto';
import { toWireChannel } from './methods-lookup.ts';
import { type Thing, textOf, thingOf, thingsOf } from './values.ts';
import { toWireView, type View } from './views.ts';
import type { Message, Workspace } from './workspace.ts';

export interface Asked {
  readonly workspace: Workspace;
  readonly user: string;
  readonly trigger: string;
  readonly responseUrl: string;
}

/** Which one is pressed: what it says, or its id. */
export type Pressed = string | { readonly actionId: string };

export function toPress(asked: Asked, message: Message, pressed: Pressed, value?: string): Thing {
  const { block, element } = findElement(message, pressed);
  const isEphemeral = message.ephemeralFor !== undefined;
  return {
    type: 'block_actions',
    ...toWho(asked),
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: message.channel,
      is_ephemeral: isEphemeral,
      ...(message.thread_ts === undefined ? {} : { thread_ts: message.thread_ts }),
    },
    channel: toWhere(asked, message.channel),
    ...(isEphemeral ? {} : { message: asked.workspace.toWire(message) }),
    state: { values: {} },
    response_url: asked.responseUrl,
    actions: [toAction(block, element, value)],
  };
}

export function toMessageShortcut(asked: Asked, callbackId: string, message: Message): Thing {
  return {
    type: 'message_action',
    ...toWho(asked),
    callback_id: callbackId,
    action_ts: asked.workspace.nextTs(),
    channel: toWhere(asked, message.channel),
    message_ts: message.ts,
    message: asked.workspace.toWire(message),
    response_url: asked.responseUrl,
  };
}

export function toCommand(asked: Asked, command: string, text: string, channel: string): Thing {
  return {
    token: 'verification',
    team_id: asked.workspace.team,
    team_domain: 'example',
    channel_id: channel,
    channel_name: toWhere(asked, channel).name,
    user_id: asked.user,
    user_name: asked.workspace.people.get(asked.user)?.name,
    command,
    text,
    api_app_id: asked.workspace.app,
    is_enterprise_install: 'false',
    response_url: asked.responseUrl,
    trigger_id: asked.trigger,
  };
}

/** What is filled in, by block and action: a text, the value of an option, or several. */
export type Filled = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

export function toSubmission(asked: Asked, view: View, filled: Filled): Thing {
  for (const [block, actions] of Object.entries(filled)) {
    for (const action of Object.keys(actions)) {
      const found = view.blocks.find(({ block_id }) => block_id === block);
      if (thingOf(found?.element).action_id !== action) throw new Error(`The view has no field ${block}/${action}.`);
    }
  }
  const values = view.blocks
    .filter(({ type }) => type === 'input')
    .map(({ block_id, element }) => {
      const { action_id } = thingOf(element);
      const given = filled[textOf(block_id)]?.[textOf(action_id)];
      return [block_id, { [textOf(action_id)]: toFieldState(thingOf(element), given) }];
    });
  return {
    type: 'view_submission',
    ...toWho(asked),
    view: { ...toWireView(view), state: { values: Object.fromEntries(values) } },
    response_urls: [],
  };
}

export function toClosing(asked: Asked, view: View): Thing {
  return { type: 'view_closed', ...toWho(asked), view: toWireView(view), is_cleared: false };
}

/** Everything in a message that can be pressed. */
export function elementsOf(message: Pick<Message, 'blocks'>): { block: Thing; element: Thing }[] {
  return message.blocks.flatMap((block) =>
    [
      ...(block.type === 'actions' ? thingsOf(block.elements) : []),
      ...(block.accessory ? [thingOf(block.accessory)] : []),
    ].map((element) => ({ block, element })),
  );
}

function findElement(message: Message, pressed: Pressed): { block: Thing; element: Thing } {
  const all = elementsOf(message);
  const found = all.find(({ element }) =>
    typeof pressed === 'string' ? thingOf(element.text).text === pressed : element.action_id === pressed.actionId,
  );
  if (found !== undefined) return found;
  const there = all.map(({ element }) => textOf(thingOf(element.text).text) || textOf(element.action_id));
  throw new Error(`There is no button ${JSON.stringify(pressed)}; there are: ${there.join(', ') || 'none'}.`);
}

function toAction(block: Thing, element: Thing, value: string | undefined): Thing {
  const action = {
    action_id: element.action_id,
    block_id: block.block_id,
    type: element.type,
    action_ts: String(Date.now() / 1000),
  };
  if (element.type !== 'button') return { ...action, ...toFieldState(element, value) };
  const own = value ?? element.value;
  return {
    ...action,
    text: element.text,
    ...(own === undefined ? {} : { value: own }),
    ...(element.style ? { style: element.style } : {}),
  };
}

function toFieldState(element: Thing, given: string | readonly string[] | undefined): Thing {
  const type = textOf(element.type);
  if (type === 'checkboxes' || type === 'multi_static_select')
    return {
      type,
      selected_options:
        given === undefined
          ? thingsOf(element.initial_options)
          : [given].flat().map((value) => optionOf(element, value)),
    };
  if (type === 'static_select' || type === 'radio_buttons')
    return {
      type,
      selected_option: given === undefined ? (element.initial_option ?? null) : optionOf(element, String(given)),
    };
  return { type, value: given ?? element.initial_value ?? null };
}

/** Chosen by its value, or by what it says. */
function optionOf(element: Thing, value: string): Thing {
  const options = [
    ...thingsOf(element.options),
    ...thingsOf(element.option_groups).flatMap((group) => thingsOf(group.options)),
  ];
  const found = options.find((option) => option.value === value || thingOf(option.text).text === value);
  if (found === undefined) throw new Error(`There is no option ${value}.`);
  return found;
}

function toWho({ workspace, user, trigger }: Asked): Thing {
  const name = workspace.people.get(user)?.name;
  return {
    user: { id: user, username: name, name, team_id: workspace.team },
    api_app_id: workspace.app,
    token: 'verification',
    trigger_id: trigger,
    team: { id: workspace.team, domain: 'example' },
    enterprise: null,
    is_enterprise_install: false,
  };
}

function toWhere({ workspace }: Asked, id: string): { id: string; name: string } {
  const channel = workspace.channels.get(id);
  if (channel === undefined) throw new Error(`There is no channel ${id}.`);
  const name = { im: 'directmessage', group: 'privategroup', mpim: channel.name, channel: channel.name }[channel.kind];
  return { id: textOf(toWireChannel(channel, workspace).id), name };
}

export function newResponsePath(): string {
  return `/response/${randomUUID()}`;
}
