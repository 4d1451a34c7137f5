import { PROXY_HEAD_BYTES, clientOfProxy, readProxyHead } from '../../kit/proxy-header';
import type { TrustedNetworks } from '../../kit/trusted-networks';
import type { HandshakeConnection } from './handshake-connection';
import { SignInRefusal } from './refusal';

/** Matches loopback addresses, with IPv4 addresses in IPv6-mapped form too. */
const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.[\d.]+)$/;

/**
 * First bytes of a PROXY protocol header, version 2 and version 1. No client message of PostgreSQL or TLS
 * begins with one of them. A PostgreSQL message would then have a length of hundreds of megabytes.
 */
const SIGNATURE_BEGINS = 0x0d;
const VERSION_1_BEGINS = 0x50;

/** Origin of a client in the network. */
export interface ClientOrigin {
  /** The client's own address, also behind a load balancer. */
  readonly address: string;
  /**
   * Whether the client, and its load balancer if there is one, run on this machine. Then no data cross a
   * network.
   */
  readonly isHere: boolean;
}

/**
 * Returns the origin of the client. Its address is the peer of the socket, or the client that a load balancer
 * names in its PROXY protocol header. A configured load balancer must send this header. A header from any
 * other peer is refused, because it is no message of the PostgreSQL protocol.
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
  // Checks the first byte before it waits for the 16 bytes of a header, because a client without a header may
  // send fewer bytes and then wait for an answer.
  if (first !== SIGNATURE_BEGINS && first !== VERSION_1_BEGINS) throw noHeader('there is no header');
  const head = readProxyHead(await line.takeBytes(PROXY_HEAD_BYTES));
  if (head.kind === 'fault') throw noHeader(head.why);
  const address = clientOfProxy(head, await line.takeBytes(head.rest)) ?? peer;
  return { address, isHere: isPeerHere && LOOPBACK.test(address) };
}

/** Refuses without an answer, because the sender perhaps does not speak PostgreSQL. */
function noHeader(why: string): SignInRefusal {
  return new SignInRefusal('proxy_header', undefined, new Error(why));
}
