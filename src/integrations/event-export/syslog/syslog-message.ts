import type { ExportedEvent, Severity } from '../contract/exported-event';

/** Facility 13, "log audit" (RFC 5424, table 1). */
const FACILITY = 13;
const SEVERITIES: Readonly<Record<Severity, number>> = { warning: 4, notice: 5, info: 6 };

/**
 * Id of our structured data. The number is the one that RFC 5612 sets aside for names without an owner: there
 * is none of ours at IANA.
 */
export const STRUCTURED_DATA_ID = 'gateway@32473';

/** Larger messages are shortened: rsyslog and others cut at 8 KiB. */
export const MESSAGE_BYTES = 8_000;

/**
 * Origin of messages: the same for all gateways of an installation, so that a message that is sent again
 * looks the same.
 */
export interface SyslogOrigin {
  /** Host name of the API. */
  readonly host: string;
  readonly app: string;
}

/**
 * One message of RFC 5424, without framing. All of it is ASCII but for the
 * values of the structured data, which are UTF-8.
 */
export function syslogMessage(event: ExportedEvent, { host, app }: SyslogOrigin): Buffer {
  const priority = FACILITY * 8 + SEVERITIES[event.severity];
  const header = `<${priority}>1 ${event.at.toISOString()} ${nameOf(host, 255)} ${nameOf(app, 48)} - ${event.type}`;
  const parameters = { id: event.id, position: String(event.position), org: event.orgId, ...event.facts };
  const data = Object.entries(parameters).map(([name, value]) => ` ${name}="${valueOf(value)}"`);
  const start = `${header} [${STRUCTURED_DATA_ID}${data.join('')}] `;
  return Buffer.from(start + textOf(event, MESSAGE_BYTES - Buffer.byteLength(start)));
}

/** Octet counting (RFC 6587, section 3.4.1; RFC 5425, section 4.3): messages may have line breaks. */
export function framed(message: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
}

/**
 * The text: JSON of all that is known. If that is too long, the changes of a line of the audit log are only
 * named; then, it is the summary. It has ASCII only, so it needs no byte order mark, which many receivers
 * would not remove before they read the JSON.
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

/** Printable ASCII, as header fields are. */
function nameOf(text: string, maxLength: number): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '_').slice(0, maxLength) || '-';
}

/** A value is at most this long, so that a message has room for all of them, whatever people are called. */
const VALUE_BYTES = 256;

/** Escaped as section 6.3.3 demands. Control characters could disturb what shows them. */
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
