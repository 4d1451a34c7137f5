import { Table, Text } from '@mantine/core';
import type { components } from '../api/schema';
import { texts } from '../texts';
import { type FieldLabels, labelOf } from './field-labels';
import { Listing } from './listing';
import { Said } from './said';

/** A field label with the field's left and right value as text. */
export interface Sides {
  readonly field: string;
  readonly left: string;
  readonly right: string;
}

interface Props {
  /** Headings of the left and the right version. */
  readonly heads: readonly [left: string, right: string];
  readonly rows: readonly Sides[];
}

/** Shows two versions of a resource, field by field. */
export function SideBySide({ heads, rows }: Props) {
  return (
    <Listing heads={[texts.changes.field, ...heads]}>
      {rows.map(({ field, left, right }) => (
        <Table.Tr key={field}>
          <Table.Th scope="row">
            <Said text={field} />
          </Table.Th>
          {[left, right].map((text, side) => (
            <Table.Td key={side}>
              <Text
                component="pre"
                ff="monospace"
                size="xs"
                m={0}
                style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
              >
                <Said text={text} />
              </Text>
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Listing>
  );
}

/** Formats a value of the API as text. */
export function valueText(_field: string, value: unknown): string {
  if (value === undefined || value === null) return texts.editing.none;
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 1);
}

/** Formats a value as text. A formatter for a secret field must not reveal the value. */
export type ValueText = typeof valueText;

/** Describes how fields and their values are shown. */
export interface Shown {
  /** Labels by field name. Not needed if the field names are labels already. */
  readonly labels?: FieldLabels;
  readonly shownValue?: ValueText;
}

/** Returns the fields in which two versions differ. Ignores fields that only the right version has. */
export function differing(
  left: object,
  right: object,
  { labels = {}, shownValue = valueText }: Shown = {},
): readonly Sides[] {
  const others = new Map<string, unknown>(Object.entries(right));
  return Object.entries(left)
    .map(([field, value]) => ({
      field: labelOf(field, labels),
      left: shownValue(field, value),
      right: shownValue(field, others.get(field)),
    }))
    .filter((row) => row.left !== row.right);
}

/** Returns the changed fields of an audit log line. */
export function changed(
  changes: components['schemas']['AuditLineView']['changes'],
  labels: FieldLabels,
): readonly Sides[] {
  return changes.map(({ field, before, after }) => ({
    field: labelOf(field, labels),
    left: valueText(field, before),
    right: valueText(field, after),
  }));
}
