import { HEAD_BYTES } from '../wire/message';
import { PASSWORD_TYPE } from '../wire/password-message';
import type { HandshakeConnection } from './handshake-connection';
import { malformedStartUp } from './refusal';

/** Reads the body of the client's answer to an authentication request. @throws SignInRefusal, ClientGone */
export async function takeResponse(line: HandshakeConnection, maxBytes: number): Promise<Buffer> {
  const head = await line.takeBytes(HEAD_BYTES);
  if (head[0] !== PASSWORD_TYPE)
    throw malformedStartUp('An answer to the authentication request was expected.');
  const length = head.readInt32BE(1) - 4;
  if (length < 0)
    throw malformedStartUp('The answer to the authentication request has an impossible length.');
  if (length > maxBytes) throw malformedStartUp('The answer to the authentication request is too long.');
  return line.takeBytes(length);
}
