/** Fields of an event to send on a stream. */
export interface OutgoingSseEvent {
  readonly data: string;
  readonly event?: string;
  readonly id?: string;
  readonly retryMs?: number;
}

/**
 * Returns an event as text (HTML standard, "Server-sent events"). Each line of `data` becomes its own field.
 * @throws RangeError when `event` or `id` contains NUL, or a line break, which could begin another event.
 */
export function sseEvent({ data, event, id, retryMs }: OutgoingSseEvent): string {
  const lines = [
    ...(event === undefined ? [] : [`event: ${oneLine(event)}`]),
    ...(id === undefined ? [] : [`id: ${oneLine(id)}`]),
    ...(retryMs === undefined ? [] : [`retry: ${Math.trunc(retryMs)}`]),
    // Serialized JSON has no line breaks, so a large message is not split by a regular expression.
    ...(isOneLine(data) ? [`data: ${data}`] : data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`)),
  ];
  return `${lines.join('\n')}\n\n`;
}

/** A line that readers ignore; keeps a stream alive. */
export const SSE_KEEP_ALIVE = ':\n\n';

function isOneLine(text: string): boolean {
  return !text.includes('\n') && !text.includes('\r');
}

function oneLine(text: string): string {
  if (!isOneLine(text) || text.includes('\0')) throw new RangeError('a field of an event is one line');
  return text;
}
