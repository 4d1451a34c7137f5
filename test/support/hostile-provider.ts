import { type KeyObject, constants, createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signingKey } from './signing-keys';

/** A key pair of a provider, or of an attacker. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

interface Forgery {
  readonly key?: SigningKey;
  /** Members of the JWS header. They override `alg` and `kid` of the key; undefined removes a member. */
  readonly header?: Record<string, unknown>;
  /** Makes the signature in another way than the `alg` of the key. */
  readonly sign?: (input: string) => Buffer;
}

/** An identity provider whose signatures and answers the test sets. It records the requests. */
export interface HostileProvider {
  readonly issuer: string;
  readonly key: SigningKey;
  /** The body of `/jwks`. */
  keys: object[];
  /** The status and body of `/userinfo`. */
  userinfo: { status: number; body: object };
  /** The status and body of `/introspection`. */
  introspection: { status: number; body: object };
  /** Requested paths, in order. */
  readonly requests: string[];
  /** Answers that replace the correct ones, by path. */
  readonly instead: Map<string, RequestListener>;
  /** Returns an access token with valid claims, overridden by `claims`; undefined removes a claim. */
  token(claims?: Record<string, unknown>, forgery?: Forgery): string;
  count(path: string): number;
  close(): Promise<void>;
}

const DISCOVERY = '/.well-known/openid-configuration';

/** @param endpoints Additional endpoints for the discovery document: path by member name. */
export async function startHostileProvider(endpoints: Record<string, string> = {}): Promise<HostileProvider> {
  const key = newKey('RS256');
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const further = Object.fromEntries(Object.entries(endpoints).map(([name, path]) => [name, issuer + path]));
  const provider: HostileProvider = {
    issuer,
    key,
    keys: [publicJwk(key)],
    userinfo: { status: 401, body: { error: 'invalid_token' } },
    introspection: { status: 200, body: { active: false } },
    requests: [],
    instead: new Map(),
    token: (claims = {}, { key: signer = key, header = {}, sign: signature } = {}) =>
      jws(
        { alg: signer.alg, kid: signer.kid, ...header },
        { ...saneClaims(issuer), ...claims },
        signature ?? signatureOf(signer),
      ),
    count: (path) => provider.requests.filter((asked) => asked === path).length,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  const honest: Record<string, (response: ServerResponse) => void> = {
    [DISCOVERY]: (response) => json(response, 200, { ...metadata(issuer), ...further }),
    '/jwks': (response) => json(response, 200, { keys: provider.keys }),
    '/userinfo': (response) => json(response, provider.userinfo.status, provider.userinfo.body),
    '/introspection': (response) =>
      json(response, provider.introspection.status, provider.introspection.body),
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    provider.requests.push(path);
    const instead = provider.instead.get(path);
    if (instead !== undefined) instead(request, response);
    else (honest[path] ?? ((it) => json(it, 404, {})))(response);
  });
  return provider;
}

/** The settings of a gateway that trusts this provider. */
export function trusting(provider: HostileProvider): Record<string, string> {
  return { IDP_ISSUER: provider.issuer };
}

export function newKey(alg: 'RS256' | 'PS256' | 'ES256', kid: string = randomUUID()): SigningKey {
  const pair = alg === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : signingKey();
  return { kid, alg, ...pair };
}

export function publicJwk({ publicKey, kid, alg }: SigningKey): object {
  return { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' };
}

/** Makes a compact JWS (RFC 7515, section 7.1) from any header and payload, without checking them. */
export function jws(header: object, payload: unknown, signature: (input: string) => Buffer): string {
  const input = [header, payload].map((part) => base64url(JSON.stringify(part))).join('.');
  return `${input}.${signature(input).toString('base64url')}`;
}

export function signatureOf({ privateKey, alg }: SigningKey): (input: string) => Buffer {
  const how = {
    PS256: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
    ES256: { dsaEncoding: 'ieee-p1363' as const },
  }[alg];
  return (input) => sign('sha256', Buffer.from(input), { key: privateKey, ...how });
}

export function hmac(secret: string, hash = 'sha256'): (input: string) => Buffer {
  return (input) => createHmac(hash, secret).update(input).digest();
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

function saneClaims(issuer: string): Record<string, unknown> {
  return {
    iss: issuer,
    sub: 'mallory',
    aud: 'access-gateway',
    iat: nowInSeconds(),
    exp: nowInSeconds() + 300,
    email: 'mallory@example.com',
    name: 'Mallory',
  };
}

function metadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
