import { PROXY_HEAD_BYTES, clientOfProxy, readProxyHead } from '../../kit/proxy-header';
import type { TrustedNetworks } from '../../kit/trusted-networks';
import type { HandshakeConnection } from './handshake-connection';
import { SignInRefusal } from './refusal';

/** An IPv4 address may be in its IPv6-mapped form. */
const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.[\d.]+)$/;

/**
 * No message of PostgreSQL or TLS begins with either: as the first byte of a
 * length, it would mean hundreds of megabytes.
 */
const SIGNATURE_BEGINS = 0x0d;
const VERSION_1_BEGINS = 0x50;

/** Addresses of a client. */
export interface ClientOrigin {
  /** Its own, also behind a load balancer. */
  readonly address: string;
  /**
   * Nothing that it sends crosses a network: it is on this machine, and so is
   * the load balancer, if there is one.
   */
  readonly isHere: boolean;
}

/**
 * Returns the address of the client: the peer of the socket, or the client that a load balancer names in its
 * header. Nothing is guessed: a load balancer must send a header, and nobody else may. From any other peer a
 * header is no message of the protocol, and is refused as such.
 * @param peer address of the other end of the socket
 * @throws SignInRefusal, ClientGone
 */
export async function clientOrigin(
  line: HandshakeConnection,
  peer: string,
  proxies: TrustedNetworks,
): Promise<ClientOrigin> {
  const isPeerHere = LOOPBACK.test(peer);
  const first = await line.firstByte();
  if (!proxies.has(peer)) {
    if (first === SIGNATURE_BEGINS) throw noHeader('its address is not in PROXY_PROTOCOL_FROM');
    return { address: peer, isHere: isPeerHere };
  }
  // Not after 16 bytes: a client that begins otherwise may wait for an answer to fewer.
  if (first !== SIGNATURE_BEGINS && first !== VERSION_1_BEGINS) throw noHeader('there is no header');
  const head = readProxyHead(await line.takeBytes(PROXY_HEAD_BYTES));
  if (head.kind === 'fault') throw noHeader(head.why);
  const address = clientOfProxy(head, await line.takeBytes(head.rest)) ?? peer;
  return { address, isHere: isPeerHere && LOOPBACK.test(address) };
}

/** Answered by nothing: who sent it may not speak PostgreSQL. */
function noHeader(why: string): SignInRefusal {
  return new SignInRefusal('proxy_header', undefined, new Error(why));
}
