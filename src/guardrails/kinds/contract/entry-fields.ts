/**
 * Permitted values of a rule entry's fields, as data: requests (`rule-entry.dto.ts`), the API's documentation
 * and stored entries (`stored-entry.ts`) are checked and described from it. Worker threads load it too, so it
 * imports nothing.
 */
interface FieldBase {
  /** Begins with a small letter: it goes after the kind's type. */
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
  /** A name of ours: it is normalized. */
  readonly isName?: true;
  /** The field is in every stored entry: with this value in those of other kinds. */
  readonly empty?: string;
}

export interface TextListField extends FieldBase {
  readonly form: 'texts';
  readonly maxItems?: number;
  readonly example?: readonly string[];
  /** Limit of each text, in UTF-16 code units. */
  readonly maxLength?: number;
  /** The field is in every stored entry: with this value in those of other kinds. */
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
  /** Name of their schema in the API's documentation. */
  readonly schemaName: string;
  readonly maxItems: number;
  /** All are required. */
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

/** The values of fields that were declared `as const`. */
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
