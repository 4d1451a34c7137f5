import type { ExportedEvent, Severity } from '../contract/exported-event';

/** Facility 13, "log audit" (RFC 5424, table 1). */
const FACILITY = 13;
const SEVERITIES: Readonly<Record<Severity, number>> = { warning: 4, notice: 5, info: 6 };

/**
 * Id of our structured data. IANA has assigned no number to us, so this is the number that RFC 5612 reserves
 * for documentation.
 */
export const STRUCTURED_DATA_ID = 'gateway@32473';

/** Maximum size of a message in bytes. Larger ones are shortened, because many receivers cut at 8 KiB. */
export const MESSAGE_BYTES = 8_000;

/**
 * Origin of messages. All gateways of an installation have the same origin, so that a repeated message is
 * identical to the first one.
 */
export interface SyslogOrigin {
  /** Host name of the API. */
  readonly host: string;
  readonly app: string;
}

/**
 * Returns one message of RFC 5424, without framing. It is ASCII, except for the values of the structured
 * data, which are UTF-8.
 */
export function syslogMessage(event: ExportedEvent, { host, app }: SyslogOrigin): Buffer {
  const priority = FACILITY * 8 + SEVERITIES[event.severity];
  const header = `<${priority}>1 ${event.at.toISOString()} ${nameOf(host, 255)} ${nameOf(app, 48)} - ${event.type}`;
  const parameters = { id: event.id, position: String(event.position), org: event.orgId, ...event.facts };
  const data = Object.entries(parameters).map(([name, value]) => ` ${name}="${valueOf(value)}"`);
  const start = `${header} [${STRUCTURED_DATA_ID}${data.join('')}] `;
  return Buffer.from(start + textOf(event, MESSAGE_BYTES - Buffer.byteLength(start)));
}

/** Frames a message by octet counting (RFC 6587, 3.4.1; RFC 5425, 4.3), because it may have line breaks. */
export function framed(message: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
}

/**
 * Returns the text of a message: all data as JSON. If it is too long, the changes of an audit line are
 * reduced to the names of the changed fields. If it is still too long, only the summary remains. The text is
 * ASCII, so it needs no byte order mark, which many receivers would not remove before they read the JSON.
 */
function textOf({ data, summary }: ExportedEvent, maxBytes: number): string {
  const whole = asciiJson(data);
  if (whole.length <= maxBytes) return whole;
  const changes = data['changes'];
  if (Array.isArray(changes)) {
    const fields = (changes as { field: string }[]).map(({ field }) => field);
    const short = asciiJson({ ...data, changes: undefined, changed_fields: fields, shortened: true });
    if (short.length <= maxBytes) return short;
  }
  return asciiJson({ summary, shortened: true });
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Converts a text to printable ASCII, because header fields allow nothing else. */
function nameOf(text: string, maxLength: number): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '_').slice(0, maxLength) || '-';
}

/** Maximum size of one value, so that a message has room for all values, even with long names of people. */
const VALUE_BYTES = 256;

/** Escapes a value (RFC 5424, section 6.3.3). Replaces control characters, which could disturb a display. */
function valueOf(text: string): string {
  let value = '';
  let bytes = 0;
  for (const character of text.toWellFormed()) {
    const shown = character.replace(/\p{Cc}/u, '\u{FFFD}').replace(/["\\\]]/, (special) => `\\${special}`);
    bytes += Buffer.byteLength(shown);
    if (bytes > VALUE_BYTES) break;
    value += shown;
  }
  return value;
}
