import { isIPv6 } from 'node:net';
import { normalizedHost } from './forward-host';

/** One end of a forwarded stream: a TCP port, or a socket of the file system (`AF_UNIX`). */
export type ForwardEnd =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'socket'; readonly path: string };

/** The host of a listening port that means all interfaces. */
export const ALL_INTERFACES = '*';
const EVERYWHERE: ReadonlySet<string> = new Set(['', '*', '0.0.0.0', '::']);

const MAX_PORT = 65_535;
/** `sun_path` has 108 bytes on Linux, and ends with a null character. */
const MAX_PATH_BYTES = 107;

/**
 * Returns an end to which a client wants to connect, in the form in which it is judged and sent to the
 * server. @returns undefined if it cannot be read with certainty
 */
export function readEnd(end: ForwardEnd): ForwardEnd | undefined {
  if (end.kind === 'socket') return isSocketPath(end.path) ? end : undefined;
  const host = normalizedHost(end.host);
  return host === undefined || !isPort(end.port, 1) ? undefined : { ...end, host };
}

/** The same for an end at which the server shall listen. Port 0 lets the server choose one. */
export function readListeningEnd(end: ForwardEnd): ForwardEnd | undefined {
  if (end.kind === 'socket') return readEnd(end);
  const host = EVERYWHERE.has(end.host) ? ALL_INTERFACES : normalizedHost(end.host);
  if (host === undefined || !isPort(end.port, 0)) return undefined;
  return { ...end, host: EVERYWHERE.has(host) ? ALL_INTERFACES : host };
}

/** An end as a text, for rules, recordings and people. Characters that are not printable are replaced. */
export function shownEnd(end: ForwardEnd): string {
  return printable(end.kind === 'socket' ? end.path : hostAndPort(end.host, end.port));
}

export function hostAndPort(host: string, port: number): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** A text of a client or a server as a label. */
export function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 300);
}

/** Whether a path is absolute, and there is no other way to write it. */
export function isSocketPath(path: string): boolean {
  return (
    /^(?:\/[^/]+)+$/.test(path) &&
    !/\p{Cc}|\uFFFD/u.test(path) &&
    !path.split('/').some((part) => part === '.' || part === '..') &&
    Buffer.byteLength(path) <= MAX_PATH_BYTES
  );
}

function isPort(port: number, least: number): boolean {
  return Number.isInteger(port) && port >= least && port <= MAX_PORT;
}
