// One field of a form, and the fields that are inside of it.

import { useId, useState } from 'react';
import {
  BooleanControl,
  ChoiceControl,
  NumberControl,
  Radios,
  Select,
  SomeOfControl,
  TextControl,
} from './controls.tsx';
import { absent, type Draft } from './draft.ts';
import type { Field, ListField, ObjectField, VariantField } from './field.ts';
import styles from './forms.module.css';
import { type FrameProps, Grouped, Labelled, toTies } from './frame.tsx';
import { Items } from './items.tsx';
import { JsonArea } from './json-area.tsx';
import { parseJson } from './parse-json.ts';
import { type Problems, pathOf } from './problems-in.ts';
import { Tick } from './tick.tsx';
import { toTitle } from './titles.ts';
import { toDraft, toEmptyDraft, toFirstDraft, toFirstObject } from './to-draft.ts';

export interface PartProps<F extends Field = Field> {
  readonly field: F;
  readonly draft: Draft;
  readonly isRequired: boolean;
  readonly label: string;
  readonly isLabelUnseen?: boolean;
  /** Whether it is one of a list, which nobody has to be told to fill in. */
  readonly isEntry?: boolean;
  readonly path: string;
  readonly problems: Problems;
  /** Somebody has tried to send it: everything that is wrong is shown. */
  readonly isTried: boolean;
  readonly onDraft: (draft: Draft) => void;
}

type Frame = Omit<FrameProps, 'children'>;

export function Part(props: PartProps) {
  const { field, draft, label, isLabelUnseen = false, isEntry = false, isRequired, path, problems, isTried } = props;
  const id = useId();
  const [wasLeft, setLeft] = useState(false);
  // What is said moves what is below, and whoever leaves by pressing a button there must still meet it.
  const onLeave = () => void setTimeout(() => setLeft(true), 250);
  // Nobody is told that something is missing before having tried to do without.
  const problem = isTried || (wasLeft && draft.type !== 'absent') ? problems.get(path) : undefined;
  const frame = {
    id,
    field,
    label,
    isLabelUnseen,
    isRequired,
    isMarked: isRequired && !isEntry,
    problem,
    onLeave,
  };
  return <Filled {...props} frame={frame} />;
}

function Filled({ frame, ...props }: PartProps & { readonly frame: Frame }) {
  const { field, draft } = props;
  if (draft.type === 'json' || field.type === 'json') return <AsJson {...props} frame={frame} />;
  if (field.type === 'object') return <InObject {...props} field={field} frame={frame} />;
  if (field.type === 'list') return <InList {...props} field={field} frame={frame} />;
  if (field.type === 'variant') return <InVariant {...props} field={field} frame={frame} />;
  return <Single {...props} field={field} frame={frame} />;
}

type SingleField = Exclude<Field, { type: 'object' | 'list' | 'variant' | 'json' }>;

function Single({ frame, field, ...props }: PartProps<SingleField> & { readonly frame: Frame }) {
  const control = { ...props, ties: toTies(frame) };
  // Both answers count, so that there is no third.
  const isSure = props.isRequired && !field.isNullable;
  if (field.type === 'boolean' && isSure) return <Tick {...control} field={field} frame={frame} />;
  if (field.type === 'some-of')
    return (
      <Grouped {...frame}>
        <SomeOfControl field={field} draft={props.draft} onDraft={props.onDraft} />
      </Grouped>
    );
  if (field.type === 'choice' && isSure && field.options.length <= 5)
    return (
      <Grouped {...frame}>
        <Radios name={frame.id} field={field} draft={props.draft} onDraft={props.onDraft} />
      </Grouped>
    );
  return (
    <Labelled {...frame}>
      {field.type === 'text' ? <TextControl {...control} field={field} /> : null}
      {field.type === 'number' ? <NumberControl {...control} field={field} /> : null}
      {field.type === 'boolean' ? <BooleanControl {...control} field={field} /> : null}
      {field.type === 'choice' ? <ChoiceControl {...control} field={field} /> : null}
    </Labelled>
  );
}

function AsJson({ field, draft, isRequired, onDraft, frame }: PartProps & { readonly frame: Frame }) {
  const text = draft.type === 'json' ? draft.text : '';
  const onText = (typed: string) =>
    onDraft(typed.trim() === '' ? toEmptyDraft(field, isRequired) : { type: 'json', text: typed });
  // What fits again is shown again as what it is.
  const onBlur = () => {
    frame.onLeave?.();
    const parsed = parseJson(text);
    if ('value' in parsed && field.type !== 'json') onDraft(toDraft(field, parsed.value));
  };
  return (
    <Labelled {...frame}>
      <JsonArea
        ties={toTies(frame)}
        text={text}
        kind={field.type === 'json' ? field.kind : undefined}
        onText={onText}
        onBlur={onBlur}
      />
      {field.type === 'json' ? null : (
        <button type="button" className={styles.quiet} onClick={() => onDraft(toFirstDraft(field, isRequired))}>
          Start over
        </button>
      )}
    </Labelled>
  );
}

function InObject({ frame, ...props }: PartProps<ObjectField> & { readonly frame: Frame }) {
  const { field, draft, isRequired, label, onDraft } = props;
  const isGiven = draft.type === 'object';
  const mayGo = isGiven && (!isRequired || field.isNullable);
  return (
    <Grouped {...frame}>
      {isGiven ? (
        <div className={styles.inside}>
          <Properties {...props} />
        </div>
      ) : (
        <button type="button" className={styles.plain} onClick={() => onDraft(toFirstObject(field))}>
          Add<span className="unseen"> {label}</span>
        </button>
      )}
      {mayGo ? (
        <button type="button" className={styles.quiet} onClick={() => onDraft(toEmptyDraft(field, isRequired))}>
          Leave out<span className="unseen"> {label}</span>
        </button>
      ) : null}
    </Grouped>
  );
}

/** What an object holds, without a frame around it. */
export function Properties({ field, draft, path, problems, isTried, onDraft }: Omit<PartProps<ObjectField>, 'label'>) {
  const id = useId();
  if (draft.type !== 'object') return null;
  const { parts, rest } = draft;
  const open = { type: 'json', kind: 'object', isNullable: false } as const;
  const problem = problems.get(`${path}/`);
  const frame = { id, field: open, label: 'Other properties', isRequired: false, problem };
  return (
    <>
      {field.properties.map(({ name, isRequired, field: inner }) => (
        <Part
          key={name}
          field={inner}
          draft={parts.get(name) ?? absent}
          isRequired={isRequired}
          label={inner.title ?? toTitle(name)}
          path={pathOf(path, name)}
          problems={problems}
          isTried={isTried}
          onDraft={(part) => onDraft({ ...draft, parts: new Map(parts).set(name, part) })}
        />
      ))}
      {field.isOpen || rest !== '' ? (
        <Labelled {...frame}>
          <JsonArea
            ties={toTies(frame)}
            text={rest}
            kind="object"
            onText={(text) => onDraft({ ...draft, rest: text })}
          />
        </Labelled>
      ) : null}
    </>
  );
}

function InList({
  field,
  draft,
  isRequired,
  label,
  path,
  problems,
  isTried,
  onDraft,
  frame,
}: PartProps<ListField> & { readonly frame: Frame }) {
  const items = draft.type === 'list' ? draft.items : [];
  const onItems = (next: typeof items) =>
    onDraft(next.length === 0 && !isRequired ? absent : { type: 'list', items: next });
  const itemLabel = (index: number) => `${field.item.title ?? label} ${index + 1}`;
  return (
    <Grouped {...frame}>
      <Items
        items={items}
        label={label}
        labelOf={itemLabel}
        isWide={field.item.type === 'object'}
        isFull={items.length >= field.max}
        toNew={() => toNewItem(field.item)}
        onItems={onItems}
      >
        {(item, index) => (
          <Part
            field={field.item}
            draft={item.draft}
            isRequired
            isEntry
            label={itemLabel(index)}
            isLabelUnseen={field.item.type !== 'object'}
            path={`${path}/${index}`}
            problems={problems}
            isTried={isTried}
            onDraft={(inner) => onItems(items.map((one) => (one.id === item.id ? { ...one, draft: inner } : one)))}
          />
        )}
      </Items>
    </Grouped>
  );
}

/** Whoever adds one wants to fill it in. */
function toNewItem(field: Field): Draft {
  const first = toFirstDraft(field, true);
  return first.type === 'null' ? toFirstDraft({ ...field, isNullable: false }, true) : first;
}

function InVariant({
  field,
  draft,
  isRequired,
  label,
  path,
  problems,
  isTried,
  onDraft,
  frame,
}: PartProps<VariantField> & { readonly frame: Frame }) {
  const index = draft.type === 'variant' ? draft.index : undefined;
  const chosen = index === undefined ? undefined : field.variants[index];
  const onIndex = (next: number | undefined) => {
    const variant = next === undefined ? undefined : field.variants[next];
    if (next === undefined || !variant) onDraft(toEmptyDraft(field, isRequired));
    else onDraft({ type: 'variant', index: next, draft: toFirstDraft(variant.field, true) });
  };
  const inner = draft.type === 'variant' && chosen ? { ...chosen, draft: draft.draft } : undefined;
  const shared = { path: `${path}/variant`, problems, isTried, isRequired: true };
  const onInner = (next: Draft) => index !== undefined && onDraft({ type: 'variant', index, draft: next });
  return (
    <Labelled {...frame}>
      <Select
        ties={toTies(frame)}
        titles={field.variants.map(({ title }) => title)}
        index={index}
        isRequired={isRequired && !field.isNullable}
        onIndex={onIndex}
      />
      {inner ? (
        <div className={styles.inside} key={index}>
          {inner.field.type === 'object' && inner.draft.type === 'object' ? (
            <Properties {...shared} field={inner.field} draft={inner.draft} onDraft={onInner} />
          ) : (
            <Part
              {...shared}
              field={inner.field}
              draft={inner.draft}
              label={`${label}: ${inner.title}`}
              isLabelUnseen={inner.field.type !== 'object'}
              onDraft={onInner}
            />
          )}
        </div>
      ) : null}
    </Labelled>
  );
}
