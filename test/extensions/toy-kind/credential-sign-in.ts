import type { IssuedCredentials } from '../../../src/gate/ports/issued-credentials';
import { verifierOf } from '../../support/postgres-proxy';
import type { LinesSignIn } from './lines-proxy';

/** Signs in with the line `<id of the credential> <password>`. The credential determines the connection. */
export function credentialSignIn(credentials: IssuedCredentials): LinesSignIn {
  return async (line) => {
    const [id = '', password = ''] = line.split(' ');
    const credential = await credentials.find(id).catch(() => undefined);
    if (credential === undefined) return undefined;
    const { storedKey, salt } = credential.verifier;
    if (!verifierOf(password, salt).storedKey.equals(storedKey)) return undefined;
    const { principal, connectionId: connection, expiresAt: until } = credential;
    return { principal, connection, credentialId: id, until };
  };
}
