import type { Client, ClientChannel, Connection, ParsedKey } from 'ssh2';
import { sshString } from './fields';

/**
 * Access to private parts of ssh2, which no other file uses. `driver-parts.spec.ts` fails when a version
 * changes these parts.
 */
interface DriverProtocol {
  signal(channelId: number, name: string): void;
  authPK: SendKey;
  readonly _packetRW: { readonly write: PacketWriter };
}

/** Sends a request of the method `publickey`. Without `sign`, it asks whether the server takes the key. */
type SendKey = (username: string, key: ParsedKey, algorithm?: string, sign?: object) => void;

interface PacketWriter {
  /** Number of bytes before the payload of a packet. */
  readonly allocStart: number;
  alloc(payloadBytes: number): Buffer;
  finalize(packet: Buffer): Buffer;
}

/** The announcement of a channel by the other side: RFC 4254, section 5.1. */
interface AnnouncedChannel {
  /** The number of the channel at the other side. */
  readonly sender: number;
  readonly packetSize: number;
}

/** The other side's messages about the beginning of channels, whichever side opens one. */
interface OpeningParts {
  readonly _protocol: {
    readonly _handlers: {
      CHANNEL_OPEN: (from: unknown, channel: AnnouncedChannel) => void;
      CHANNEL_OPEN_CONFIRMATION: (from: unknown, channel: AnnouncedChannel & { recipient: number }) => void;
      readonly CHANNEL_OPEN_FAILURE: (from: unknown, own: number, reason: number, text: string) => void;
    };
    channelOpenFail(recipient: number, reason: number, text: string): void;
    channelClose(recipient: number): void;
  };
}

/**
 * Least maximum packet size that the other side of a connection may announce for a channel. RFC 4254, section
 * 5.1, sets none, but section 6.1 of RFC 4253 lets each side take packets of 32 768 bytes, so that nobody has
 * to announce less. The driver cuts all that it writes into packets of the announced size at once: with 0
 * that never ends, and with a few bytes each written byte costs a hundred.
 */
const MIN_PACKET_BYTES = 1_024;
/** `SSH_OPEN_ADMINISTRATIVELY_PROHIBITED`. */
const PROHIBITED = 1;
/** The text of each refusal because of `MIN_PACKET_BYTES`. */
export const SMALL_PACKETS = `packets of less than ${MIN_PACKET_BYTES} bytes are not supported`;

/**
 * Refuses each channel for which the other side announces a maximum packet size of less than 1 024 bytes:
 * those that it opens, and those that it takes. Must be called before any channel is opened; for a client,
 * after `connect`. The driver counts a window of more than 2^32 - 1 bytes (RFC 4254, section 5.2) without
 * harm, as a number of 53 bits.
 */
export function refuseSmallPackets(driver: Client | Connection): void {
  const { _protocol: protocol } = driver as unknown as OpeningParts;
  const { _handlers: handlers } = protocol;
  const { CHANNEL_OPEN: opened, CHANNEL_OPEN_CONFIRMATION: confirmed } = handlers;
  handlers.CHANNEL_OPEN = (from, channel) => {
    if (channel.packetSize >= MIN_PACKET_BYTES) opened(from, channel);
    else protocol.channelOpenFail(channel.sender, PROHIBITED, SMALL_PACKETS);
  };
  handlers.CHANNEL_OPEN_CONFIRMATION = (from, channel) => {
    if (channel.packetSize >= MIN_PACKET_BYTES) return confirmed(from, channel);
    handlers.CHANNEL_OPEN_FAILURE(from, channel.recipient, PROHIBITED, SMALL_PACKETS);
    protocol.channelClose(channel.sender);
  };
}

/**
 * Asks the server to send a signal to the command of a channel. Without effect on a closed channel. The
 * driver itself sends a signal only until the end of a command's input was sent (`Channel.signal` asks for
 * `writable`), but a command that is stopped has all of its input. RFC 4254, section 6.9, has no such
 * condition.
 */
export function signalCommand(client: Client, channel: ClientChannel, name: string): void {
  const { outgoing } = channel as unknown as { readonly outgoing: { id: number; state: string } };
  if (outgoing.state === 'open' || outgoing.state === 'eof') protocolOf(client).signal(outgoing.id, name);
}

/**
 * Lets a client sign in with a key of `certifiedKey`. The driver writes one name twice: as the algorithm of
 * the request, and as the type of the signature in it. For a certificate, the first is the type of the
 * certificate, and the second that of its key (PROTOCOL.certkeys), which OpenSSH requires. So the request
 * that has a signature is changed before it is encrypted. Call it after `client.connect`.
 */
export function signByCertificate(client: Client, keyType: string): void {
  const protocol = protocolOf(client);
  const sendKey = protocol.authPK.bind(protocol);
  protocol.authPK = (username, key, algorithm, sign) => {
    if (sign === undefined) return sendKey(username, key, algorithm);
    const { write } = protocol._packetRW;
    const { allocStart: start } = write;
    const own = { alloc: write.alloc.bind(write), finalize: write.finalize.bind(write) };
    write.alloc = (payloadBytes) => Buffer.alloc(start + payloadBytes);
    write.finalize = (packet) => {
      const payload = withSignatureType(packet.subarray(start), key.type, keyType);
      const changed = own.alloc(payload.length);
      changed.set(payload, start);
      return own.finalize(changed);
    };
    try {
      sendKey(username, key, algorithm, sign);
    } finally {
      Object.assign(write, own);
    }
  };
}

/** The signature is the last field of the request: the name of its type, then its bytes. */
function withSignatureType(request: Buffer, written: string, wanted: string): Buffer {
  const at = request.lastIndexOf(sshString(written));
  const signature = Buffer.concat([sshString(wanted), request.subarray(at + sshString(written).length)]);
  return Buffer.concat([request.subarray(0, at - 4), sshString(signature)]);
}

function protocolOf(client: Client): DriverProtocol {
  return (client as unknown as { readonly _protocol: DriverProtocol })._protocol;
}
