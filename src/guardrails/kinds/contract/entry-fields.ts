/**
 * Permitted values of a rule entry's fields, as data. Requests (`rule-entry.dto.ts`) and stored entries
 * (`stored-entry.ts`) are checked with them, and the API's documentation is made from them. This file imports
 * nothing, because worker threads load it too.
 */
interface FieldBase {
  /**
   * Description for the documentation. In a kind's own fields it begins with a lowercase letter, because the
   * documentation puts the kind's type before it.
   */
  readonly description: string;
}

export interface FlagField extends FieldBase {
  readonly form: 'flag';
}

export interface IntegerField extends FieldBase {
  readonly form: 'integer';
  readonly min: number;
  readonly max: number;
}

export interface TextField extends FieldBase {
  readonly form: 'text';
  /** Lengths count UTF-16 code units. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly example?: string;
  /** Whether the text is a name, which the gateway normalizes. */
  readonly isName?: true;
  /** Value of the field in entries of other kinds. When it is set, every stored entry has the field. */
  readonly empty?: string;
}

export interface TextListField extends FieldBase {
  readonly form: 'texts';
  readonly maxItems?: number;
  readonly example?: readonly string[];
  /** Limit of each text, in UTF-16 code units. */
  readonly maxLength?: number;
  /** Value of the field in entries of other kinds. When it is set, every stored entry has the field. */
  readonly empty?: readonly [];
}

export interface ChoiceField extends FieldBase {
  readonly form: 'choice';
  readonly choices: readonly string[];
}

export interface ChoiceListField extends FieldBase {
  readonly form: 'choices';
  readonly choices: readonly string[];
}

export interface ObjectListField extends FieldBase {
  readonly form: 'objects';
  /** Name of the objects' schema in the API's documentation. */
  readonly schemaName: string;
  readonly maxItems: number;
  /** Fields of each object; all are required. */
  readonly fields: Readonly<Record<string, TextField | ChoiceField>>;
}

export type EntryField =
  | FlagField
  | IntegerField
  | TextField
  | TextListField
  | ChoiceField
  | ChoiceListField
  | ObjectListField;

/** Fields by their names in the API. */
export type EntryFields = Readonly<Record<string, EntryField>>;

/** Type of the values of fields that were declared `as const`. */
export type ValuesOf<Fields extends EntryFields> = {
  -readonly [Name in keyof Fields as Fields[Name] extends InEveryEntry ? Name : never]: ValueOf<Fields[Name]>;
} & {
  -readonly [Name in keyof Fields as Fields[Name] extends InEveryEntry ? never : Name]?: ValueOf<
    Fields[Name]
  >;
};

interface InEveryEntry {
  readonly empty: string | readonly [];
}

type ValueOf<Field extends EntryField> = Field extends FlagField
  ? boolean
  : Field extends IntegerField
    ? number
    : Field extends TextField
      ? string
      : Field extends TextListField
        ? string[]
        : Field extends ChoiceField
          ? Field['choices'][number]
          : Field extends ChoiceListField
            ? Field['choices'][number][]
            : Field extends ObjectListField
              ? { -readonly [Name in keyof Field['fields']]: ValueOf<Field['fields'][Name]> }[]
              : never;
