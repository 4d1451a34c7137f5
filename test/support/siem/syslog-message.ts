/** A syslog message with the fields of RFC 5424. */
export interface SyslogMessage {
  readonly facility: number;
  readonly severity: number;
  readonly timestamp: string;
  readonly host: string;
  readonly app: string;
  readonly procId: string;
  readonly msgId: string;
  readonly structured: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly text: string;
}

const HEADER =
  /^<(\d{1,3})>1 (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)) ([\x21-\x7e]{1,255}) ([\x21-\x7e]{1,48}) ([\x21-\x7e]{1,128}) ([\x21-\x7e]{1,32}) /;
const SD_NAME = /^[\x21\x23-\x3c\x3e-\x5c\x5e-\x7e]{1,32}$/;

/** Reads one message by the grammar of RFC 5424, section 6, and nothing else. @throws on any deviation */
export function parseSyslog(bytes: Buffer): SyslogMessage {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const header = HEADER.exec(text);
  if (header === null) throw new Error(`no header of RFC 5424: ${text.slice(0, 200)}`);
  const [whole, priority = '', timestamp = '', host = '', app = '', procId = '', msgId = ''] = header;
  if (Number(priority) > 191 || String(Number(priority)) !== priority)
    throw new Error(`no PRIVAL: ${priority}`);
  if (Number.isNaN(Date.parse(timestamp))) throw new Error(`no time: ${timestamp}`);
  const { structured, rest } = parseStructured(text.slice(whole.length));
  if (rest !== '' && !rest.startsWith(' '))
    throw new Error(`nothing but a space may follow: ${rest.slice(0, 50)}`);
  return {
    facility: Number(priority) >> 3,
    severity: Number(priority) & 7,
    timestamp,
    host,
    app,
    procId,
    msgId,
    structured,
    text: rest.slice(1),
  };
}

function parseStructured(text: string): { structured: SyslogMessage['structured']; rest: string } {
  if (text.startsWith('-')) return { structured: {}, rest: text.slice(1) };
  const structured: Record<string, Record<string, string>> = {};
  let at = 0;
  while (text[at] === '[') {
    const [, id = ''] = /^\[([^ =\]"]+)/.exec(text.slice(at)) ?? [];
    if (!SD_NAME.test(id) || id in structured) throw new Error(`no SD-ID: ${text.slice(at, at + 50)}`);
    at += 1 + id.length;
    const parameters: Record<string, string> = {};
    while (text[at] === ' ') {
      const parameter = /^ ([^ =\]"]+)="((?:[^"\\\]]|\\["\\\]])*)"/u.exec(text.slice(at));
      const [all = '', name = '', value = ''] = parameter ?? [];
      if (!SD_NAME.test(name) || name in parameters)
        throw new Error(`no parameter: ${text.slice(at, at + 80)}`);
      parameters[name] = value.replaceAll(/\\(["\\\]])/g, '$1');
      at += all.length;
    }
    if (text[at] !== ']') throw new Error(`no end of an element: ${text.slice(at, at + 50)}`);
    structured[id] = parameters;
    at += 1;
  }
  if (at === 0) throw new Error(`no structured data: ${text.slice(0, 50)}`);
  return { structured, rest: text.slice(at) };
}

/** Splits a stream into messages by octet counting (RFC 6587, section 3.4.1). @throws on other framing */
export class OctetCounting {
  private bytes = Buffer.alloc(0);

  take(chunk: Buffer): Buffer[] {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    const messages: Buffer[] = [];
    for (;;) {
      const space = this.bytes.indexOf(0x20);
      const digits = this.bytes.subarray(0, space === -1 ? undefined : space).toString('latin1');
      if (!/^(?:[1-9]\d{0,6})?$/.test(digits) || space === 0)
        throw new Error(`no length: ${this.bytes.subarray(0, 20).toString('latin1')}`);
      const end = space + 1 + Number(digits);
      if (space === -1 || this.bytes.length < end) return messages;
      messages.push(this.bytes.subarray(space + 1, end));
      this.bytes = this.bytes.subarray(end);
    }
  }
}
