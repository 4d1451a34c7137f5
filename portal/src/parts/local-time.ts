/** What was typed in a field of type `datetime-local`, in the reader's zone, as the API wants it; undefined while it is no time. */
export function timeTyped(local: string): string | undefined {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** A time of the API for a field of type `datetime-local`; empty when it is no time. */
export function typedTime(at: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
