import { type StartUp, type StartUpPacket, parseStartUpPacket, startUpLength } from '../wire/start-up-packet';
import type { HandshakeConnection } from './handshake-connection';
import { SignInRefusal, malformedStartUp, signInRefusal } from './refusal';
import type { TlsIdentity } from './tls-identity';

/**
 * First byte of a TLS handshake. A PostgreSQL message with this first byte would be hundreds of megabytes
 * long.
 */
const TLS_HANDSHAKE = 0x16;

const YES_TLS = Buffer.from('S');
const NO = Buffer.from('N');

export type ClientOpening =
  | { readonly kind: 'start-up'; readonly start: StartUp }
  | { readonly kind: 'cancel-request'; readonly processId: number; readonly key: Buffer };

/**
 * Handles everything before a StartupMessage or a CancelRequest: direct TLS, or SSLRequest and GSSENCRequest,
 * each at most once, in either order.
 * @throws SignInRefusal, ClientGone
 */
export async function negotiate(
  line: HandshakeConnection,
  tls: TlsIdentity | undefined,
): Promise<ClientOpening> {
  const isOpen = { tls: true, gss: true };
  if ((await line.firstByte()) === TLS_HANDSHAKE) {
    if (tls === undefined) throw new SignInRefusal('no_tls', undefined);
    await line.secure(tls, 'direct');
  }
  for (;;) {
    const packet = await takePacket(line);
    switch (packet.kind) {
      case 'ssl-request':
        refuseClearText(line, isOpen.tls);
        isOpen.tls = false;
        if (await securedAsAsked(line, tls)) isOpen.gss = false;
        break;
      case 'gssenc-request':
        refuseClearText(line, isOpen.gss);
        isOpen.gss = false;
        line.send(NO);
        break;
      case 'unspoken':
        throw signInRefusal(
          'not_spoken',
          '0A000',
          `Protocol version ${packet.version} is not supported. Use a version from 3.0 to 3.2.`,
        );
      case 'malformed':
        throw malformedStartUp(packet.why);
      case 'start-up':
      case 'cancel-request':
        return packet;
    }
  }
}

/** Answers an SSLRequest. Returns whether the client's connection is encrypted now. */
async function securedAsAsked(line: HandshakeConnection, tls: TlsIdentity | undefined): Promise<boolean> {
  if (tls === undefined || line.isSecure) {
    line.send(NO);
    return false;
  }
  line.send(YES_TLS);
  await line.secure(tls, 'asked');
  return true;
}

/**
 * Refuses bytes that follow an encryption request before its answer. They arrived in clear text, but would be
 * treated as encrypted. The cause is a fault of the client, or an attacker in the network who injected them.
 */
function refuseClearText(line: HandshakeConnection, mayAsk: boolean): void {
  if (!mayAsk) throw malformedStartUp('The client requested this kind of encryption twice.');
  if (line.surplus > 0) throw new SignInRefusal('clear_text', undefined);
}

async function takePacket(line: HandshakeConnection): Promise<StartUpPacket> {
  const length = startUpLength(await line.takeBytes(4));
  // A client that begins with an invalid length does not speak PostgreSQL and would not understand an answer.
  if (length === undefined) throw new SignInRefusal('malformed', undefined);
  const packet = parseStartUpPacket(await line.takeBytes(length));
  line.understood();
  return packet;
}
