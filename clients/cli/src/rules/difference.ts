import { isDeepStrictEqual } from 'node:util';
import { cell } from '../shown/harmless.js';
import { ENTRY_FIELDS, SETS } from './fields.js';
import type { Wanted } from './policy-file.js';

/** A field that would change. */
export interface FieldChange {
  readonly field: string;
  /** Undefined for a new object. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the fields of `wanted` that differ from the object. Ignores all other fields of the object. */
export function differences(before: Wanted, wanted: Wanted): FieldChange[] {
  return Object.entries(wanted)
    .filter(([field, after]) => !isSame(field, before[field], after))
    .map(([field, after]) => ({ field, before: before[field], after }));
}

/** Removes the fields that have their default values. */
export function stated(fields: Wanted, defaults: Wanted | undefined): Wanted {
  const own = Object.entries(fields).filter(
    ([field, value]) =>
      field !== 'name' && !(defaults !== undefined && isSame(field, defaults[field], value)),
  );
  return { name: fields.name, ...Object.fromEntries(own) };
}

function isSame(field: string, one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(comparable(field, one), comparable(field, other));
}

function comparable(field: string, value: unknown): unknown {
  return SETS.has(field) && Array.isArray(value) ? new Set(value) : value;
}

/** Formats a changed field for people, as one or several lines. */
export function shownChange({ field, before, after }: FieldChange): string[] {
  if (SETS.has(field) && Array.isArray(after)) return [`${field}: ${members(listOf(before), listOf(after))}`];
  if (isRuleSet(after)) return [`${field}:`, ...entries(isRuleSet(before) ? before.rules : [], after.rules)];
  const value = (one: unknown): string => cell(JSON.stringify(one));
  return [`${field}: ${before === undefined ? '' : `${value(before)} → `}${value(after)}`];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function members(before: readonly unknown[], after: readonly unknown[]): string {
  const came = after.filter((one) => !before.includes(one)).map((one) => `+ ${cell(String(one))}`);
  const went = before.filter((one) => !after.includes(one)).map((one) => `- ${cell(String(one))}`);
  return [...came, ...went].join(', ');
}

/** Formats removed entries, then added ones. A changed entry is shown as removed and added. */
function entries(before: readonly unknown[], after: readonly unknown[]): string[] {
  const isIn = (list: readonly unknown[], one: unknown): boolean =>
    list.some((other) => isDeepStrictEqual(one, other));
  const lines = [
    ...before.filter((one) => !isIn(after, one)).map((one) => `  - ${shownEntry(one)}`),
    ...after.filter((one) => !isIn(before, one)).map((one) => `  + ${shownEntry(one)}`),
  ];
  return lines.length > 0 ? lines : ['  the order or number of the entries'];
}

/** Removes the fields that are empty because they belong to other types of guardrail entries. */
export function briefEntry(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null) return entry;
  const isEmpty = ([name, value]: [string, unknown]): boolean =>
    (name === 'words' && isDeepStrictEqual(value, [])) || (name === 'pattern_regex' && value === '');
  // Sort the fields as in the documentation, because stored entries have another order.
  const place = (name: string): number => ENTRY_FIELDS.indexOf(name);
  return Object.fromEntries(
    Object.entries(entry)
      .filter((one) => !isEmpty(one))
      .sort(([one], [other]) => place(one) - place(other)),
  );
}

function shownEntry(entry: unknown): string {
  return cell(JSON.stringify(briefEntry(entry)));
}

export function isRuleSet(value: unknown): value is { readonly rules: readonly unknown[] } {
  return typeof value === 'object' && value !== null && 'rules' in value && Array.isArray(value.rules);
}
