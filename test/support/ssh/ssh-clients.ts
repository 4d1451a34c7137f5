import type { Client, ClientChannel, ExecOptions } from 'ssh2';
import { type Begin } from '../scoped';
import { type GatewayOptions, freePort } from '../gateway';
import { eventually } from '../eventually';
import { createRule } from '../guardrails';
import { type SshLogin, SshPrograms, issuedLogin } from './programs';
import { type SshPath, startSshPath } from './ssh-path';
import { signedIn } from './ssh-proxy';

/** A session as the list of sessions shows it. */
export interface ListedSession {
  readonly id: string;
  readonly verb: string;
  readonly status: string;
  readonly exit_code: number | null;
  readonly labels: Record<string, string>;
}

/** A gateway that listens for SSH clients, with a real OpenSSH server behind it, and clients for it. */
export interface SshClients extends SshPath {
  readonly programs: SshPrograms;
  /** Credentials of alice for the connection `server`. */
  readonly login: SshLogin & { readonly id: string };
  /** Sessions, newest first. */
  sessions(): Promise<ListedSession[]>;
  /** Resolves with the newest session once it is closed. */
  lastSession(): Promise<ListedSession>;
  /** Creates a guardrail and a connection under it. Returns credentials of alice for the connection. */
  under(
    rule: { input?: object; output?: object },
    more?: object,
  ): Promise<SshLogin & { readonly id: string }>;
  /** Signs in with the driver's own client, which is disconnected after the test file. */
  client(login?: SshLogin): Promise<Client>;
  /** Closes the gateway and the server, while clients are connected. In place of `close`. */
  stop(): Promise<void>;
}

let count = 0;

/** @param subsystem command of the server's SFTP */
export async function startSshClients(
  options: GatewayOptions = {},
  subsystem = 'internal-sftp',
): Promise<SshClients> {
  const port = await freePort();
  const path = await startSshPath(
    {
      ...options,
      environment: {
        SSH_PROXY_PORT: String(port),
        SSH_PROXY_CLIENTS_PER_USER: '1000',
        SSH_PROXY_CLIENTS_PER_CONNECTION: '1000',
        ...options.environment,
      },
    },
    [`Subsystem sftp ${subsystem}`],
  );
  const programs = await SshPrograms.create();
  const { body } = await path.gateway.call(null, 'GET', '/ssh-host-keys');
  await programs.trust(body.keys[0].known_hosts);
  const login = await issuedLogin(path.gateway, 'server');
  const clients: Client[] = [];
  const stop = async (): Promise<void> => {
    await programs.remove();
    await path.close();
  };
  const sessions: SshClients['sessions'] = async () =>
    (await path.gateway.call('admin', 'GET', '/sessions?limit=100')).body.data;
  return {
    ...path,
    programs,
    login,
    sessions,
    lastSession: () =>
      eventually('the last session is closed', async () => {
        const [last] = await sessions();
        return last?.status === 'done' && last;
      }),
    under: async (rule, more = {}) => {
      const name = `guarded-${(count += 1)}`;
      const id = await path.connect(name, more);
      await createRule(path.gateway, { name, connection_ids: [id], ...rule });
      return issuedLogin(path.gateway, name);
    },
    client: async ({ user, password, port: at } = login) => {
      const client = await signedIn(at, { username: user, password });
      if (typeof client === 'string') throw new Error(client);
      clients.push(client);
      return client;
    },
    stop,
    close: async () => {
      for (const client of clients) client.end();
      await stop();
    },
  };
}

/** @param subsystem returns the command of the server's SFTP */
export function beginSshClients(
  begin: Begin,
  options: GatewayOptions = {},
  subsystem?: () => string,
): SshClients {
  return begin(() => startSshClients(options, subsystem?.()));
}

/** Resolves when a client is disconnected, also if the driver reports an error before that. */
export function disconnected(client: Client): Promise<void> {
  return new Promise((resolve) => client.once('close', () => resolve()));
}

/** Begins something with a new client: with another one if the client was idle for too long before. */
export async function begunInTime<T>(
  connect: () => Promise<Client>,
  begin: (client: Client) => Promise<T>,
): Promise<{ readonly begun: T; readonly closed: Promise<void> }> {
  for (;;) {
    const client = await connect();
    const closed = disconnected(client);
    const begun = await begin(client).catch(() => undefined);
    if (begun !== undefined) return { begun, closed };
    await closed;
  }
}

/** The end of a command, as the driver's client sees it. */
export interface CommandEnd {
  readonly code: number | null;
  readonly signal?: string;
  readonly out: string;
  readonly err: string;
}

/** A running command. */
export interface RunningCommand {
  readonly channel: ClientChannel;
  readonly ended: Promise<CommandEnd>;
  out(): string;
  err(): string;
}

/** Begins a command, and reads all that it writes. */
export function execute(client: Client, command: string, options: ExecOptions = {}): Promise<RunningCommand> {
  return new Promise((resolve, reject) => {
    client.exec(command, options, (error, channel) => {
      if (error) return reject(error);
      resolve(watched(channel));
    });
  });
}

/** Reads all that a channel gives. */
export function watched(channel: ClientChannel): RunningCommand {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  channel.on('data', (bytes: Buffer) => out.push(bytes));
  channel.stderr.on('data', (bytes: Buffer) => err.push(bytes));
  const texts = { out: () => Buffer.concat(out).toString(), err: () => Buffer.concat(err).toString() };
  const ended = new Promise<CommandEnd>((resolve) => {
    channel.on('close', (code: number | null, signal?: string) =>
      resolve({
        code: code ?? null,
        ...(signal === undefined ? {} : { signal }),
        out: texts.out(),
        err: texts.err(),
      }),
    );
  });
  return { channel, ended, ...texts };
}
