import { z } from 'zod';
import { actionFields, labelFields, scopeFields } from '../kinds/contract/common-fields';
import type { EntryField } from '../kinds/contract/entry-fields';
import { fromRuleKinds } from '../kinds/kinds';
import type { RuleEntry } from './rule-entry';

/**
 * Checks the shape of a stored entry and returns it. An admin may have written the entry with psql, and an
 * unknown key could narrow or widen the rule. The kind checks the values when it compiles the entry.
 * @throws Error with a message for the admin
 */
export function storedEntry(stored: unknown): RuleEntry {
  const { error, data } = shape().safeParse(stored);
  if (error === undefined) return data as unknown as RuleEntry;
  const [issue] = error.issues;
  throw new Error(`${['the entry', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'is malformed'}`);
}

const shape = fromRuleKinds((kinds) => {
  const all = [labelFields, actionFields, scopeFields, ...kinds.map(({ fields }) => fields)];
  const shapes = all
    .flatMap((fields): [string, EntryField][] => Object.entries(fields))
    .map(([name, field]) => [name, 'empty' in field ? shapeOf(field) : shapeOf(field).optional()]);
  return z.strictObject({ type: z.string(), ...Object.fromEntries(shapes) });
});

function shapeOf(field: EntryField): z.ZodType {
  switch (field.form) {
    case 'flag':
      return z.boolean();
    case 'integer':
      return z.number();
    case 'text':
    case 'choice':
      return z.string();
    case 'texts':
    case 'choices':
      return z.array(z.string());
    case 'objects':
      return z.array(
        z.strictObject(
          Object.fromEntries(Object.entries(field.fields).map(([name, inner]) => [name, shapeOf(inner)])),
        ),
      );
  }
}
