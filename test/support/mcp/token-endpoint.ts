import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JWTPayload, createRemoteJWKSet, jwtVerify } from 'jose';

export const CLIENT = { id: 'gateway-client', secret: 'canary-client-secret-Zq81' };

/** A request to the token endpoint. */
export interface TokenRequest {
  readonly headers: IncomingHttpHeaders;
  readonly form: Record<string, string>;
  /** Claims of the subject token, whose signature is valid; undefined if the request has no subject token. */
  readonly subject: JWTPayload | undefined;
}

interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
}

/** A token endpoint that trusts the assertions of one gateway. */
export interface TokenEndpoint {
  readonly url: string;
  readonly requests: TokenRequest[];
  /** All tokens that were ever issued. */
  readonly issued: string[];
  lifeSeconds: number | undefined;
  /** Replaces every answer, except to invalid subject tokens; undefined: the endpoint answers correctly. */
  instead: Reply | undefined;
  /** Whether `Authorization` has a token that was issued and not revoked. */
  accepts(authorization: string | undefined): boolean;
  /** Returns the subject of the token; undefined if the token is unknown or revoked. */
  subjectOf(authorization: string | undefined): string | undefined;
  revokeAll(): void;
  close(): Promise<void>;
}

/** @param api returns the API address of the trusted gateway; called for each assertion */
export async function startTokenEndpoint(api: () => string): Promise<TokenEndpoint> {
  const subjects = new Map<string, string>();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  const bare = (authorization: string | undefined) => authorization?.replace(/^Bearer /, '') ?? '';
  const endpoint: TokenEndpoint = {
    url,
    requests: [],
    issued: [],
    lifeSeconds: 3600,
    instead: undefined,
    accepts: (authorization) => subjects.has(bare(authorization)),
    subjectOf: (authorization) => subjects.get(bare(authorization)),
    revokeAll: () => subjects.clear(),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  const answer = async (headers: IncomingHttpHeaders, text: string): Promise<Reply> => {
    const form = Object.fromEntries(new URLSearchParams(text));
    const subject = form['subject_token'] === undefined ? undefined : await checked(form['subject_token']);
    endpoint.requests.push({ headers, form, subject });
    if (endpoint.instead !== undefined) return endpoint.instead;
    // Compares the credentials without percent-decoding (RFC 6749, section 2.3.1), because many endpoints do
    // not decode them. So the gateway must not encode characters that need no encoding.
    const basic = Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64');
    if (headers.authorization !== `Basic ${basic}`) return refusal('invalid_client');
    const isExchange = form['grant_type'] === 'urn:ietf:params:oauth:grant-type:token-exchange';
    if (!isExchange && form['grant_type'] !== 'client_credentials') return refusal('unsupported_grant_type');
    if (isExchange && form['subject_token_type'] !== 'urn:ietf:params:oauth:token-type:jwt')
      return refusal('invalid_request');
    const token = `canary-upstream-${randomBytes(12).toString('hex')}`;
    endpoint.issued.push(token);
    subjects.set(token, isExchange ? String(subject?.sub) : CLIENT.id);
    return {
      status: 200,
      body: JSON.stringify({
        access_token: token,
        token_type: 'Bearer',
        ...(endpoint.lifeSeconds === undefined ? {} : { expires_in: endpoint.lifeSeconds }),
        ...(isExchange ? { issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' } : {}),
      }),
    };
  };
  const checked = async (assertion: string): Promise<JWTPayload> => {
    const keys = createRemoteJWKSet(new URL(`${api()}/evidence-keys`));
    return (await jwtVerify(assertion, keys, { algorithms: ['EdDSA'], issuer: api(), audience: url }))
      .payload;
  };
  server.on('request', (request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const reply = await answer(request.headers, Buffer.concat(chunks).toString()).catch(() =>
        refusal('invalid_grant'),
      );
      response
        .writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
        .end(reply.body);
    })();
  });
  return endpoint;
}

function refusal(error: string): Reply {
  return { status: 400, body: JSON.stringify({ error, error_description: 'canary-description' }) };
}
