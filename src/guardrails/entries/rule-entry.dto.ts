import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import type { Direction } from '../../gate/ports/guardrails';
import type { DtoClass } from '../../platform/http/dto/dto-fields';
import { HasNoNul } from '../../platform/http/dto/fields';
import { IsName } from '../../platform/http/dto/name-fields';
import { ACTIONS, actionFields, labelFields, scopeFields } from '../kinds/contract/common-fields';
import type { EntryField, ObjectListField } from '../kinds/contract/entry-fields';
import type { AnyRuleKind } from '../kinds/contract/kind';
import { emptyFields, fromRuleKinds } from '../kinds/kinds';

const MAX_ENTRIES = 200;

export { ACTIONS };

/**
 * The body class of one entry (specification, section 2.2.1), made from the kinds that are registered.
 * Required fields come first, because the constructors of generated clients take them in this order.
 */
export const ruleEntryBody = fromRuleKinds((kinds): DtoClass => {
  class RuleEntryBody {}
  const type = {
    form: 'choice',
    description: `Rule kind: ${kinds.map(kindDescription).join('; ')}.`,
    choices: kinds.map((kind) => kind.type),
  } as const;
  const fields = kinds.flatMap(documentedFields);
  addField(RuleEntryBody, 'type', type, 'required');
  for (const [name, field] of fields.filter(isInEveryEntry))
    addField(RuleEntryBody, name, field, 'in every entry');
  for (const [name, field] of Object.entries(labelFields)) addField(RuleEntryBody, name, field, 'optional');
  for (const [name, field] of fields.filter((one) => !isInEveryEntry(one)))
    addField(RuleEntryBody, name, field, 'optional');
  for (const [name, field] of Object.entries(actionFields)) addField(RuleEntryBody, name, field, 'optional');
  for (const [name, field] of Object.entries(scopeFields)) addField(RuleEntryBody, name, field, 'optional');
  return RuleEntryBody;
});

export class RuleSetBody {
  @ApiProperty({ type: () => [ruleEntryBody()], maxItems: MAX_ENTRIES })
  @IsArray()
  @ArrayMaxSize(MAX_ENTRIES)
  @ValidateNested({ each: true })
  @Type(() => ruleEntryBody())
  rules: Readonly<Record<string, unknown>>[] = [];
}

/**
 * Returns an example rule set for the documentation. It has one entry of each kind whose first direction is
 * `direction`.
 */
export function exampleRules(direction: Direction): { rules: object[] } {
  return {
    rules: examples()
      .filter(([first]) => first === direction)
      .map(([, entry]) => entry),
  };
}

const examples = fromRuleKinds((kinds) =>
  kinds.map(({ type, directions, example }): [Direction | undefined, object] => [
    directions[0],
    { type, ...emptyFields(), ...example },
  ]),
);

type NamedField = [name: string, field: EntryField];

function kindDescription({ type, summary, directions }: AnyRuleKind): string {
  return `\`${type}\` finds ${summary} (${directions.join(' and ')})`;
}

/** Returns the fields of a kind. Each description begins with the kind's type. */
function documentedFields({ type, fields }: AnyRuleKind): NamedField[] {
  return Object.entries(fields).map(([name, field]) => {
    const elsewhere = 'empty' in field ? ' Empty in entries of other types.' : '';
    return [name, { ...field, description: `\`${type}\`: ${field.description}${elsewhere}` }];
  });
}

function isInEveryEntry([, field]: NamedField): boolean {
  return 'empty' in field;
}

/**
 * Adds a field to the body class. A field that is `in every entry` is required in the documentation, as in
 * the specification, but a request may omit it.
 */
function addField(
  body: DtoClass,
  name: string,
  field: EntryField,
  presence: 'required' | 'in every entry' | 'optional',
): void {
  const decorators = [
    ApiProperty({ ...documentationOf(field), required: presence !== 'optional' } as ApiPropertyOptions),
    ...(presence === 'required' ? [] : [IsOptional()]),
    ...checksOf(field),
  ];
  for (const decorate of decorators.toReversed()) decorate(body.prototype as object, name);
}

function documentationOf(field: EntryField): ApiPropertyOptions {
  const { description } = field;
  switch (field.form) {
    case 'flag':
      return { type: Boolean, description };
    case 'integer':
      return { type: 'integer', minimum: field.min, maximum: field.max, description };
    case 'text': {
      const { minLength, maxLength, example } = field;
      return { type: String, description, ...given({ minLength, maxLength, example }) };
    }
    case 'texts':
      return { type: [String], description, ...given({ maxItems: field.maxItems, example: field.example }) };
    case 'choice':
      return { enum: [...field.choices], description };
    case 'choices':
      return { enum: [...field.choices], isArray: true, description };
    case 'objects':
      return { type: [objectBody(field)], maxItems: field.maxItems, description };
  }
}

function checksOf(field: EntryField): PropertyDecorator[] {
  switch (field.form) {
    case 'flag':
      return [IsBoolean()];
    case 'integer':
      return [IsInt(), Min(field.min), Max(field.max)];
    case 'text':
      return [IsString(), ...lengthOf(field), field.isName === true ? IsName() : HasNoNul()];
    case 'texts': {
      const { maxItems, maxLength } = field;
      const count = maxItems === undefined ? [] : [ArrayMaxSize(maxItems)];
      const limit = maxLength === undefined ? [] : [MaxLength(maxLength, { each: true })];
      return [IsArray(), ...count, IsString({ each: true }), ...limit, HasNoNul(true)];
    }
    case 'choice':
      return [IsString(), IsIn(field.choices)];
    case 'choices':
      return [IsArray(), IsIn(field.choices, { each: true })];
    case 'objects':
      return [
        IsArray(),
        ArrayMaxSize(field.maxItems),
        ValidateNested({ each: true }),
        Type(() => objectBody(field)),
      ];
  }
}

function lengthOf({ minLength, maxLength }: { minLength?: number; maxLength?: number }): PropertyDecorator[] {
  if (minLength !== undefined) return [Length(minLength, maxLength)];
  return maxLength === undefined ? [] : [MaxLength(maxLength)];
}

const objectBodies = new WeakMap<ObjectListField['fields'], DtoClass>();

/** Returns the body class of the objects in a list. Each definition of fields has one class. */
function objectBody({ fields, schemaName }: ObjectListField): DtoClass {
  const known = objectBodies.get(fields);
  if (known !== undefined) return known;
  const body = { [schemaName]: class {} }[schemaName] as DtoClass;
  for (const [name, field] of Object.entries(fields)) addField(body, name, field, 'required');
  objectBodies.set(fields, body);
  return body;
}

function given(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
