// What a JSON Schema asks for, as a form can show it.

import type { Json } from '@ai-agent/core';

export type Field =
  | TextField
  | NumberField
  | BooleanField
  | ChoiceField
  | SomeOfField
  | ObjectField
  | ListField
  | VariantField
  | JsonField;

export interface About {
  readonly title?: string;
  readonly description?: string;
  readonly default?: Json;
  readonly example?: Json;
  /** Whether null is a value as well. */
  readonly isNullable: boolean;
}

export interface TextField extends About {
  readonly type: 'text';
  readonly format?: 'email' | 'uri' | 'date' | 'date-time';
  /** Whether it may need more than one line on the page. */
  readonly isLong: boolean;
  /** Whether it is meant to have lines of its own: Enter begins one. */
  readonly hasLines: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

export interface NumberField extends About {
  readonly type: 'number';
  readonly isInteger: boolean;
  readonly min?: number;
  readonly max?: number;
  /** The bound itself is no value any more. */
  readonly isAboveMin: boolean;
  readonly isBelowMax: boolean;
  readonly step?: number;
}

export interface BooleanField extends About {
  readonly type: 'boolean';
}

export interface Option {
  readonly title: string;
  readonly description?: string;
  readonly value: Json;
}

/** One of a few values; of a single one where it is given. */
export interface ChoiceField extends About {
  readonly type: 'choice';
  readonly options: readonly Option[];
}

/** Any of a few values, each once. */
export interface SomeOfField extends About {
  readonly type: 'some-of';
  readonly options: readonly Option[];
  readonly min: number;
  readonly max: number;
}

export interface Property {
  readonly name: string;
  readonly isRequired: boolean;
  readonly field: Field;
}

export interface ObjectField extends About {
  readonly type: 'object';
  readonly properties: readonly Property[];
  /** Whether properties that it does not name are asked for too. */
  readonly isOpen: boolean;
}

export interface ListField extends About {
  readonly type: 'list';
  readonly item: Field;
  readonly min: number;
  readonly max: number;
}

export interface VariantField extends About {
  readonly type: 'variant';
  readonly variants: readonly { readonly title: string; readonly field: Field }[];
}

/** What no form is made for: written as JSON. */
export interface JsonField extends About {
  readonly type: 'json';
  /** What it has to be, where that is known. */
  readonly kind?: 'object' | 'array';
}
