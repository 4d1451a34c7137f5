import { type ForwardEnd, readEnd, readListeningEnd } from './forward-end';
import { isForbiddenHost, isServerItself, normalizedHost } from './forward-host';
import type { ForwardList } from './forward-list';

/** The usual port of SSH servers. A server behind a translated address listens there, whatever `PORT` is. */
const SSH_PORT = 22;

/** The server of a connection, as a destination of its own forwards. */
export interface OwnServer {
  /** Its normalized hosts: `HOST`, and the address that was dialed for it. */
  readonly hosts: ReadonlySet<string>;
  /** Ports of SSH: `PORT`, and 22. */
  readonly ports: ReadonlySet<number>;
}

/** @param address the address that was dialed, if it is known */
export function ownServer(
  { HOST = '', PORT = '' }: Readonly<Record<string, string>>,
  address?: string,
): OwnServer {
  const hosts = [HOST, ...(address === undefined ? [] : [address])].map(normalizedHost);
  return {
    hosts: new Set(hosts.filter((host) => host !== undefined)),
    ports: new Set([SSH_PORT, PORT === '' ? SSH_PORT : Number(PORT)]),
  };
}

/** The decision on an end: the normalized end, or why it is refused. */
export type ForwardDecision = { readonly end: ForwardEnd } | { readonly refusal: string };

/**
 * Decides whether a connection allows a stream to an end. The port of SSH of the server itself is never
 * allowed: behind it, nothing would be judged or recorded. Other servers' ports of SSH must be named, because
 * a name that only matches a pattern may be one of the server itself.
 */
export function decideForwardTo(asked: ForwardEnd, list: ForwardList, server: OwnServer): ForwardDecision {
  const end = readEnd(asked);
  if (end === undefined) return { refusal: 'The destination of this forward cannot be read with certainty.' };
  if (end.kind === 'tcp') {
    if (isForbiddenHost(end.host))
      return { refusal: 'No connection allows forwards to metadata services and link-local addresses.' };
    const isItself = isServerItself(end.host) || server.hosts.has(end.host);
    if (isItself && server.ports.has(end.port))
      return { refusal: 'No connection allows forwards to the SSH port of its own server.' };
  }
  if (list.has(end, server.ports)) return { end };
  return { refusal: 'This connection does not allow forwards to this destination.' };
}

/** Decides whether a connection allows its server to listen at an end, for the client. */
export function decideForwardFrom(asked: ForwardEnd, list: ForwardList): ForwardDecision {
  const end = readListeningEnd(asked);
  if (end !== undefined && list.has(end)) return { end };
  return { refusal: 'This connection does not allow its server to listen at this address for a client.' };
}
