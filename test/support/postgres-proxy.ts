import { createHash, createHmac, pbkdf2Sync, randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { readEnvironment } from '../../src/platform/config/environment';
import { completeSettings } from '../../src/platform/config/settings';
import { type Attempt, Authenticator, type Credential } from '../../src/gate/ports/authenticator';
import {
  type IssuedCredential,
  IssuedCredentials,
  type ScramVerifier,
} from '../../src/gate/ports/issued-credentials';
import { type KeyOwner, PublicKeys } from '../../src/gate/ports/public-keys';
import { AppError } from '../../src/kernel/app-error';
import type { Principal } from '../../src/kernel/principal';
import { PostgresListener } from '../../src/proxies/postgres/listener';
import { OpenSessions } from '../../src/proxies/kit/open-sessions';
import { ProxyFrontend } from '../../src/proxies/postgres/proxy-frontend';
import { SignInServices } from '../../src/proxies/kit/sign-in-services';
import type { CancelRequest, SignedInClient } from '../../src/proxies/postgres/signed-in-client';
import { authenticationOk } from '../../src/proxies/postgres/wire/authentication';
import { int32, message, text } from '../../src/proxies/postgres/wire/message';
import {
  backendKeyData,
  parameterStatus,
  readyForQuery,
} from '../../src/proxies/postgres/wire/start-up-answers';
import { freePort } from './free-port';
import { ServerCertificate } from '../../src/platform/tls/server-certificate';
import type { TestCertificate } from './tls';

export const PASSWORD = 'a-password-of-160-bits';
export const TOKEN = 'token.of.alice';
export const CREDENTIAL_ID = '0b9f6a3e-1111-4222-8333-944455556666';
export const CONNECTION = { id: 'c0ffee00-1111-4222-8333-944455556666', name: 'orders', database: 'shop' };

/** The error message for a wrong name as well as for a wrong password. */
export const BAD_CREDENTIAL = {
  S: 'FATAL',
  V: 'FATAL',
  C: '28P01',
  M: 'The user name or the password is wrong or has expired.',
};

export const alice: Principal = {
  orgId: randomUUID(),
  userId: randomUUID(),
  subject: 'alice',
  email: 'alice@example.com',
  name: 'Alice',
  groups: [],
  role: 'regular',
  identityType: 'user',
};

/** The stored form of a password: RFC 5802, section 3. */
export function verifierOf(password: string, salt: Buffer = Buffer.from('0123456789abcdef')): ScramVerifier {
  const iterations = 4_096;
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (key: string): Buffer => createHmac('sha256', salted).update(key).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest();
  return { iterations, salt, storedKey, serverKey: hmac('Server Key') };
}

/** Store of issued credentials that contains one credential. */
export class OneCredential extends IssuedCredentials {
  readonly asked: string[] = [];
  fault: Error | undefined;
  credential: IssuedCredential | undefined = {
    id: CREDENTIAL_ID,
    principal: alice,
    connectionId: CONNECTION.id,
    connectionName: CONNECTION.name,
    databaseName: CONNECTION.database,
    verifier: verifierOf(PASSWORD),
    expiresAt: new Date('2030-01-01'),
    reason: null,
  };

  async find(id: string): Promise<IssuedCredential | undefined> {
    this.asked.push(id);
    if (this.fault !== undefined) throw this.fault;
    return id === this.credential?.id ? this.credential : undefined;
  }
}

/** Knows registered keys of alice, and counts how often a key was looked for. */
export class KeysOfAlice extends PublicKeys {
  /** Keys in base64, each with the time at which it expires. */
  readonly registered = new Map<string, Date | null>();
  asked = 0;

  /** @param line of a `.pub` file */
  register(line: string, expiresAt: Date | null = null): void {
    this.registered.set(line.split(' ')[1] ?? '', expiresAt);
  }

  async use(blob: Buffer): Promise<KeyOwner | undefined> {
    this.asked += 1;
    const expiresAt = this.registered.get(blob.toString('base64'));
    return expiresAt === undefined ? undefined : { principal: alice, expiresAt };
  }
}

/** Accepts only `TOKEN` and `LONG_TOKEN`. Refuses all attempts after `mayFail` failures. */
export class OneToken extends Authenticator {
  failures = 0;
  mayFail = Number.POSITIVE_INFINITY;
  fault: Error | undefined;
  /** Promise that `identify` awaits before it answers. */
  before: Promise<void> = Promise.resolve();
  readonly asked: string[] = [];

  async identify({ bearer, address }: Credential): Promise<Principal> {
    const attempt = { address, subject: bearer };
    await this.refuseGuesser(attempt);
    this.asked.push(bearer);
    await this.before;
    if (this.fault !== undefined) throw this.fault;
    if (bearer === TOKEN || bearer === LONG_TOKEN) return alice;
    await this.failed(attempt);
    throw new AppError('unauthenticated', 'the token has expired');
  }

  async probe(): Promise<void> {
    if (this.fault !== undefined) throw this.fault;
  }

  async refuseGuesser(_attempt: Attempt): Promise<void> {
    if (this.failures >= this.mayFail)
      throw new AppError('too_many_requests', 'too many bad credentials, try again in 7 seconds');
  }

  async failed(_attempt: Attempt): Promise<void> {
    this.failures += 1;
  }
}

export const LONG_TOKEN = 'x'.repeat(65_536);

/** Serves all signed-in clients. Answers each query with one row, which contains the query's text. */
export class EchoFrontend extends ProxyFrontend {
  readonly served: SignedInClient[] = [];
  readonly cancelled: CancelRequest[] = [];

  serve(client: SignedInClient): Promise<void> {
    this.served.push(client);
    const { socket } = client;
    socket.write(
      Buffer.concat([
        authenticationOk(),
        parameterStatus('client_encoding', 'UTF8'),
        parameterStatus('server_version', '18.0'),
        backendKeyData(7, Buffer.alloc(4, 1)),
        readyForQuery('I'),
      ]),
    );
    return new Promise((over) => {
      let pending = client.rest;
      const read = (chunk: Buffer): void => {
        pending = Buffer.concat([pending, chunk]);
        while (pending.length >= 5 && pending.length > pending.readInt32BE(1)) {
          const end = pending.readInt32BE(1) + 1;
          answer(String.fromCharCode(pending[0] ?? 0), pending.subarray(5, end - 1).toString());
          pending = pending.subarray(end);
        }
      };
      const answer = (type: string, sql: string): void => {
        if (type === 'X') over();
        if (type === 'Q') socket.write(Buffer.concat(rowOf(sql)));
      };
      socket.on('data', read).once('close', over).resume();
      read(Buffer.alloc(0));
    });
  }

  async cancel(request: CancelRequest): Promise<void> {
    this.cancelled.push(request);
  }
}

function rowOf(value: string): Buffer[] {
  const shorts = (...values: number[]): Buffer =>
    Buffer.from(values.flatMap((short) => [(short >> 8) & 255, short & 255]));
  const column = Buffer.concat([
    text('sql'),
    int32(0),
    shorts(0),
    int32(25),
    shorts(-1),
    int32(-1),
    shorts(0),
  ]);
  const bytes = Buffer.from(value);
  return [
    message('T', shorts(1), column),
    message('D', shorts(1), int32(bytes.length), bytes),
    message('C', text('SELECT 1')),
    readyForQuery('I'),
  ];
}

export interface TestProxy {
  readonly port: number;
  /** Lines of the log, which are collected here instead of printed. */
  readonly logged: unknown[];
  readonly listener: PostgresListener;
  readonly frontend: EchoFrontend;
  readonly issued: OneCredential;
  readonly authenticator: OneToken;
  readonly sessions: OpenSessions;
  close(): Promise<void>;
}

/** Starts the PostgreSQL listener without a gateway: an `EchoFrontend` answers the clients. */
export async function startProxy(
  tls?: TestCertificate,
  environment: Record<string, string> = {},
): Promise<TestProxy> {
  const port = await freePort();
  const settings = completeSettings(
    readEnvironment({
      POSTGRES_PROXY_PORT: String(port),
      SHUTDOWN_GRACE_SECONDS: '1',
      ...(tls === undefined ? {} : { TLS_CERT: tls.cert, TLS_KEY: tls.key }),
      ...environment,
    }),
    {
      DATABASE_URL: 'postgres://localhost/none',
      IDP_ISSUER: 'http://127.0.0.1',
      IDP_CLIENT_ID: 'none',
      SECRET_KEY: [Buffer.alloc(32, 7)],
    },
  );
  const logged: unknown[] = [];
  const keep = (...line: unknown[]): number => logged.push(line);
  Logger.overrideLogger({ log: keep, warn: keep, error: keep, debug: keep });
  const parts = {
    frontend: new EchoFrontend(),
    issued: new OneCredential(),
    authenticator: new OneToken(),
    sessions: new OpenSessions(),
  };
  const listener = new PostgresListener(
    settings,
    new SignInServices(parts.authenticator, parts.issued, new KeysOfAlice()),
    parts.frontend,
    parts.sessions,
    new ServerCertificate(settings.tls),
  );
  await listener.onApplicationBootstrap();
  return {
    port: settings.postgresProxy.port,
    logged,
    listener,
    ...parts,
    close: async () => {
      listener.onModuleDestroy();
      await listener.beforeApplicationShutdown();
      for (const { socket } of parts.frontend.served) socket.destroy();
    },
  };
}
