import type * as oidc from 'openid-client';

/**
 * HTTP Basic with the form-encoded id and secret of the client (RFC 6749, section 2.3.1). Encodes only the
 * characters that form encoding requires. openid-client also encodes `-`, `_` and `.`. This is allowed, but
 * some servers do not decode these characters and refuse the client.
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
