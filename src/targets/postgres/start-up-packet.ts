import type { PostgresSecret } from './target-tls';

/** Minor version of protocol 3. Version 3.2 differs only in longer keys for cancel requests. */
export type ProtocolMinor = 0 | 2;

export type StartUpParameter = readonly [name: string, value: string];

export interface StartUpMessage {
  /** Secret that contains the user and the database. */
  readonly secret: PostgresSecret;
  /** Parameters in the order in which the server applies them. A name may occur more than once. */
  readonly parameters: readonly StartUpParameter[];
  readonly protocolMinor: ProtocolMinor;
}

const PROTOCOL = 3 << 16;

/**
 * Returns a StartupMessage (PostgreSQL documentation, "Message Formats"). Texts are in UTF-8. client_encoding
 * is last, so that it overrides an earlier value.
 */
export function startUpPacket({ secret, parameters, protocolMinor }: StartUpMessage): Buffer {
  const all: readonly StartUpParameter[] = [
    ['user', secret['USER'] ?? ''],
    ['database', secret['DB'] ?? ''],
    ...parameters,
    ['client_encoding', 'UTF8'],
  ];
  const body = Buffer.from(`${all.map(([name, value]) => `${bare(name)}\0${bare(value)}\0`).join('')}\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + body.length);
  head.writeInt32BE(PROTOCOL | protocolMinor, 4);
  return Buffer.concat([head, body]);
}

/** Removes NUL, because it would end the text, and the rest of the text would become another parameter. */
function bare(text: string): string {
  return text.replaceAll('\0', '');
}
