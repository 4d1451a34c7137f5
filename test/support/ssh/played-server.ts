import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { generateKeyPairSync } from 'node:crypto';
import {
  type AuthContext,
  type Connection,
  type ExecInfo,
  type SFTPWrapper,
  Server,
  type ServerChannel,
  type ServerConfig,
  type Session,
  utils,
} from 'ssh2';
import { fingerprintOf } from '../../../src/targets/ssh/host-keys';

/** Answer of the server to an attempt to sign in. */
export type SignInAnswer = (attempt: AuthContext) => void;

export interface PlayedServer {
  readonly port: number;
  readonly fingerprint: string;
  /** The secret of a connection to the server. */
  secret(more?: Record<string, string>): Record<string, string>;
  /** Destroys every open connection. */
  cut(): void;
  /** Reads nothing more from open connections. */
  stopReading(): void;
  close(): Promise<void>;
}

interface Play {
  /** Default: accepts the password `right`. */
  readonly signIn?: SignInAnswer;
  /** Runs a command. Default: exits with 0. */
  readonly exec?: (channel: ServerChannel, info: ExecInfo, session: Session) => void;
  /** Runs SFTP. Default: refuses it. */
  readonly sftp?: (files: SFTPWrapper) => void;
  /** Gets each connection before it signs in. */
  readonly connected?: (connection: Connection) => void;
  readonly config?: Partial<ServerConfig>;
}

const acceptRight: SignInAnswer = (attempt) => {
  if (attempt.method === 'password' && attempt.password === 'right') attempt.accept();
  else attempt.reject(['password']);
};

/** Returns a private key in PEM, of the type that Node.js calls `type`. */
export function pemKey(type: 'rsa' | 'ec', bits = 2_048): string {
  if (type === 'rsa') {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits });
    return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  }
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'sec1', format: 'pem' }).toString();
}

/** An SSH server in this process, whose behaviour the test sets. */
export async function playServer({
  signIn = acceptRight,
  exec,
  sftp,
  connected,
  config,
}: Play = {}): Promise<PlayedServer> {
  const hostKey = pemKey('ec');
  const parsed = utils.parseKey(hostKey);
  if (parsed instanceof Error) throw parsed;
  const server = new Server({ hostKeys: [hostKey], ...config }, (connection) => {
    connection.on('error', () => undefined);
    connected?.(connection);
    connection.on('authentication', signIn);
    connection.on('session', (accept) => {
      const session = accept();
      session.on('pty', (acceptTerminal) => acceptTerminal?.());
      if (sftp !== undefined) session.on('sftp', (acceptFiles) => sftp(acceptFiles()));
      session.on('exec', (acceptExec, _reject, info) => {
        const channel = acceptExec();
        channel.on('error', () => undefined);
        if (exec !== undefined) return exec(channel, info, session);
        channel.exit(0);
        channel.end();
      });
    });
  });
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    server.injectSocket(socket);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const fingerprint = fingerprintOf(parsed.getPublicSSH());
  return {
    port,
    fingerprint,
    secret: (more = {}) => ({
      HOST: '127.0.0.1',
      PORT: String(port),
      USER: 'alice',
      PASS: 'right',
      HOST_KEY: fingerprint,
      ...more,
    }),
    cut,
    stopReading: () => {
      for (const socket of sockets) socket.pause();
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      cut();
      await closed;
    },
  };
}
