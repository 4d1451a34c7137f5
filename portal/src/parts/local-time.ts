/**
 * Converts the value of a `datetime-local` field, in the reader's zone or in UTC, to the format of the API.
 * Returns undefined for an invalid time.
 */
export function timeTyped(typed: string, isUtc: boolean): string | undefined {
  const time = new Date(isUtc ? `${typed}Z` : typed);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Converts a time of the API for a `datetime-local` field. Returns an empty text for an invalid time. */
export function typedTime(at: string, isUtc: boolean): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return '';
  const offset = isUtc ? 0 : time.getTimezoneOffset();
  return new Date(time.getTime() - offset * 60_000).toISOString().slice(0, 19);
}
