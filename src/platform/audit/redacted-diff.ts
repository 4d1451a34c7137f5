import { isDeepStrictEqual } from 'node:util';
import { plainJson } from '../../kernel/json/json';
import type { FieldChange } from './audit-log.entity';

export const REDACTED = '[redacted]';

/** Fields whose values must never be logged. The log shows only that such a field changed. */
const SENSITIVE = /secret|password|token|^key$|credential/i;

/** Fields that change with every write and are not worth logging. */
const NOISE = new Set(['updated_at']);

/** The fields in which two views of a resource differ; sensitive values are redacted. */
export function redactedDiff(before: object | null, after: object | null): FieldChange[] {
  const old = plain(before);
  const fresh = plain(after);
  return [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
    .filter((field) => !NOISE.has(field) && !isDeepStrictEqual(old[field], fresh[field]))
    .map((field) => ({ field, before: shown(field, old[field]), after: shown(field, fresh[field]) }));
}

/** The view as JSON, with dates as text, so that the hash covers exactly the stored form. */
function plain(view: object | null): Record<string, unknown> {
  return view === null ? {} : (plainJson(view) as Record<string, unknown>);
}

function shown(field: string, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (SENSITIVE.test(field)) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => shown('', item));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown(key, item)]));
}
