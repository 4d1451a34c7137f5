import { Logger } from '@nestjs/common';
import { once } from 'node:events';
import { Client, type ConnectConfig } from 'ssh2';
import { readEnvironment } from '../../../src/platform/config/environment';
import { completeSettings } from '../../../src/platform/config/settings';
import { freshSshKey } from '../../../src/platform/keys/fresh-ssh-key';
import type { SshHostKeys } from '../../../src/platform/keys/ssh-host-keys';
import { OpenSessions } from '../../../src/proxies/kit/open-sessions';
import { SignInServices } from '../../../src/proxies/kit/sign-in-services';
import type { StartedChannel } from '../../../src/proxies/ssh/channels/channel-requests';
import type { ServedChannel } from '../../../src/proxies/ssh/channels/served-channel';
import { ConnectionVisit } from '../../../src/proxies/ssh/connection-visit';
import { refusedForwards } from '../../../src/proxies/ssh/forwards/client-forwards';
import { SshListener } from '../../../src/proxies/ssh/listener';
import { SshFrontend } from '../../../src/proxies/ssh/proxy-frontend';
import { RefusedChannel } from '../../../src/proxies/ssh/refused-channel';
import type { SignedInSshClient } from '../../../src/proxies/ssh/signed-in-client';
import { freePort } from '../free-port';
import { CREDENTIAL_ID, KeysOfAlice, OneCredential, OneToken, PASSWORD } from '../postgres-proxy';

/** Serves all signed-in clients: each channel gets one line of error output and ends. */
export class GreetingFrontend extends SshFrontend {
  readonly served: SignedInSshClient[] = [];

  async serve(client: SignedInSshClient): Promise<void> {
    this.served.push(client);
    client.connection.forwards.take(refusedForwards('Hello.'));
    const visit = new ConnectionVisit(client.connection, 0);
    await visit.serve((started) => this.channelOf(started));
  }

  protected channelOf(started: StartedChannel): ServedChannel {
    return new RefusedChannel(started, 'Hello.');
  }
}

/** Ends each channel at once, and reads nothing from it. Others of the client may follow. */
export class EndingFrontend extends GreetingFrontend {
  protected override channelOf({ sink }: StartedChannel): ServedChannel {
    return {
      runsCommand: false,
      finish: () => undefined,
      abort: () => undefined,
      run: async () => {
        sink.exitWith({ code: 0 });
        sink.end(Buffer.alloc(0));
        return { exitCode: 0 };
      },
    };
  }
}

export interface TestSshProxy {
  readonly port: number;
  /** Lines of the log, which are collected here instead of printed. */
  readonly logged: unknown[];
  readonly frontend: GreetingFrontend;
  readonly issued: OneCredential;
  readonly publicKeys: KeysOfAlice;
  readonly authenticator: OneToken;
  close(): Promise<void>;
}

/** Starts the SSH listener without a gateway. */
export async function startSshProxy(
  environment: Record<string, string> = {},
  frontend = new GreetingFrontend(),
): Promise<TestSshProxy> {
  const port = await freePort();
  const settings = completeSettings(
    readEnvironment({ SSH_PROXY_PORT: String(port), SHUTDOWN_GRACE_SECONDS: '1', ...environment }),
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
    frontend,
    issued: new OneCredential(),
    publicKeys: new KeysOfAlice(),
    authenticator: new OneToken(),
  };
  const { key } = freshSshKey();
  const hostKeys = { privateKey: () => Promise.resolve(key) } as SshHostKeys;
  const listener = new SshListener(
    settings,
    new SignInServices(parts.authenticator, parts.issued, parts.publicKeys),
    parts.frontend,
    new OpenSessions(),
    hostKeys,
  );
  await listener.onApplicationBootstrap();
  return {
    port,
    logged,
    ...parts,
    close: async () => {
      for (const { socket } of parts.frontend.served) socket.destroy();
      listener.onModuleDestroy();
      await listener.beforeApplicationShutdown();
    },
  };
}

/** Signs in with the driver's own client. Resolves with the client, or with the driver's error message. */
export async function signedIn(port: number, options: ConnectConfig = {}): Promise<Client | string> {
  const client = new Client();
  // Errors after the sign-in show as `close`.
  client.on('error', () => undefined);
  const ready = once(client, 'ready').then(
    () => client,
    (error: Error) => error.message,
  );
  const closed = once(client, 'close').then(() => 'closed');
  client.connect({
    host: '127.0.0.1',
    port,
    username: CREDENTIAL_ID,
    password: PASSWORD,
    readyTimeout: 60_000,
    // The gateway takes the extensions of OpenSSH, and names itself.
    strictVendor: false,
    ...options,
  });
  // The small packets of a sign-in would wait for each other, 40 ms each time.
  client.setNoDelay(true);
  return Promise.race([ready, closed]);
}
