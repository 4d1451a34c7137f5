import { ALL_INTERFACES, type ForwardEnd, isSocketPath, readListeningEnd } from './forward-end';
import { isAddress, isForbiddenHost, normalizedHost } from './forward-host';

type Entry =
  | { readonly kind: 'socket'; readonly path: string }
  /** `suffix` is what names end with, with a dot before it. Without `port`, all ports. */
  | { readonly kind: 'names'; readonly suffix: string; readonly port: number | undefined }
  | { readonly kind: 'host'; readonly host: string; readonly port: number | undefined };

/** Whether a list has ends to which the server connects, or ends at which it listens. */
type Direction = 'to' | 'from';

const PORT = /^(?:\*|\d{1,5})$/;

/** An allow-list of a connection: `db.internal:5432, *.svc:443, 127.0.0.1:*, /run/app.sock`. */
export class ForwardList {
  private constructor(private readonly entries: readonly Entry[]) {}

  /** Reads a value that has no fault. An entry that cannot be read allows nothing. */
  static of(value: string, direction: Direction): ForwardList {
    const entries = wordsOf(value).map((word) => readEntry(word, direction));
    return new ForwardList(entries.filter((entry) => typeof entry !== 'string'));
  }

  /**
   * Whether the list has an end, which must be normalized.
   * @param guarded ports that an entry must name together with the whole host
   */
  has(end: ForwardEnd, guarded: ReadonlySet<number> = new Set()): boolean {
    return this.entries.some((entry) => isOf(end, entry, guarded));
  }
}

/** Returns the fault of a list in plain words; undefined if it has none. */
export function forwardListFault(value: string, direction: Direction): string | undefined {
  for (const word of wordsOf(value)) {
    const entry = readEntry(word, direction);
    if (typeof entry === 'string') return entry;
  }
  return undefined;
}

function wordsOf(value: string): string[] {
  return value
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function isOf(end: ForwardEnd, entry: Entry, guarded: ReadonlySet<number>): boolean {
  if (end.kind === 'socket') return entry.kind === 'socket' && entry.path === end.path;
  if (entry.kind === 'socket') return false;
  const { host, port } = end;
  if (entry.port === undefined ? guarded.has(port) : entry.port !== port) return false;
  if (entry.kind === 'host') return entry.host === host;
  // Not of addresses, because `*.0.0.1` is no group of them.
  return !guarded.has(port) && !isAddress(host) && host.endsWith(entry.suffix);
}

/** Returns the fault of an entry that cannot be read. */
function readEntry(word: string, direction: Direction): Entry | string {
  if (word.startsWith('/'))
    return isSocketPath(word)
      ? { kind: 'socket', path: word }
      : 'must name sockets by absolute paths of at most 107 bytes, without "." and ".."';
  const colon = word.lastIndexOf(':');
  const [host, portText] = [word.slice(0, Math.max(0, colon)), word.slice(colon + 1)];
  if (colon === -1 || !PORT.test(portText) || Number(portText) > 65_535) return SYNTAX[direction];
  const port = portText === '*' ? undefined : Number(portText);
  if (direction === 'from') return readListening(host, port);
  if (port === 0) return SYNTAX.to;
  return host.startsWith('*.') ? readNames(host, port) : readHost(host, port);
}

function readListening(host: string, port: number | undefined): Entry | string {
  const end = host === '' ? undefined : readListeningEnd({ kind: 'tcp', host, port: port ?? 0 });
  return end?.kind === 'tcp' ? { kind: 'host', host: end.host, port } : SYNTAX.from;
}

function readNames(host: string, port: number | undefined): Entry | string {
  const suffix = normalizedHost(host.slice(2));
  if (suffix === undefined || isAddress(suffix)) return SYNTAX.to;
  return { kind: 'names', suffix: `.${suffix}`, port };
}

function readHost(text: string, port: number | undefined): Entry | string {
  // Without brackets, the port of an IPv6 address might be a part of the address.
  const host = text.includes(':') && !text.startsWith('[') ? undefined : normalizedHost(text);
  if (host === undefined) return SYNTAX.to;
  if (isForbiddenHost(host)) return 'must not list metadata services, link-local or multicast addresses';
  return { kind: 'host', host, port };
}

const SYNTAX: Readonly<Record<Direction, string>> = {
  to: 'must list host:port, *.suffix:port, [IPv6 address]:port or the path of a socket, separated by commas; a port may be *',
  from: `must list host:port, ${ALL_INTERFACES}:port (all interfaces), [IPv6 address]:port or the path of a socket, separated by commas; a port may be *`,
};
