import type * as oidc from 'openid-client';

/**
 * HTTP Basic with the id and the secret of the client in the encoding of forms (RFC 6749, section 2.3.1), of
 * which no more is used than forms need. The client of the library encodes `-`, `_` and `.` too, which is
 * allowed, and which servers that decode nothing refuse.
 */
export function clientSecretBasic(secret: string): oidc.ClientAuth {
  return (_server, { client_id: id }, _body, headers) => {
    const credentials = `${formEncoded(id)}:${formEncoded(secret)}`;
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  };
}

function formEncoded(value: string): string {
  return new URLSearchParams({ '': value }).toString().slice(1);
}
