/**
 * The value of a `datetime-local` field, in the reader's zone or in UTC, in the format of the API; undefined
 * while it is no time.
 */
export function timeTyped(typed: string, isUtc: boolean): string | undefined {
  const time = new Date(isUtc ? `${typed}Z` : typed);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** A time of the API for a field of type `datetime-local`; empty when it is no time. */
export function typedTime(at: string, isUtc: boolean): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return '';
  const offset = isUtc ? 0 : time.getTimezoneOffset();
  return new Date(time.getTime() - offset * 60_000).toISOString().slice(0, 19);
}
