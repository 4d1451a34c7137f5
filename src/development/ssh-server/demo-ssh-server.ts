import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { type AuthContext, type Connection, Server, type ServerChannel } from 'ssh2';
import { freshSshKey } from '../../platform/keys/fresh-ssh-key';
import { DemoFiles } from './demo-files';
import { DemoShell } from './demo-shell';

const LOOPBACK = '127.0.0.1';
export const DEMO_USER = 'demo';
/** The only command that the server runs. It reads a script. */
export const DEMO_COMMAND = 'demo-shell';
const MAX_BYTES = 1024 * 1024;

export interface DemoSshServer {
  readonly port: number;
  /** Only the gateway has the password, so that clients must go through the gateway. */
  readonly password: string;
  /** Public host key, as a line of known_hosts. */
  readonly hostKey: string;
  close(): Promise<void>;
}

/** Starts an SSH server with a few files, in this process, on 127.0.0.1. It runs no programs. */
export async function startDemoSshServer(): Promise<DemoSshServer> {
  const password = randomBytes(24).toString('base64url');
  const { key, publicKey } = freshSshKey();
  const files = new DemoFiles();
  const server = new Server({ hostKeys: [key] }, (connection) => serve(connection, password, files));
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    // Without a listener, an error would end the process.
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    server.injectSocket(socket);
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(0, LOOPBACK, resolve);
  });
  return {
    port: (listener.address() as AddressInfo).port,
    password,
    hostKey: `ssh-ed25519 ${publicKey}`,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function serve(connection: Connection, password: string, files: DemoFiles): void {
  connection
    .on('error', () => undefined)
    .on('authentication', (attempt) => {
      if (isRight(attempt, password)) attempt.accept();
      else attempt.reject(['password']);
    })
    .on('session', (accept) => {
      accept().on('exec', (acceptCommand, rejectCommand, { command }) => {
        if (command === DEMO_COMMAND) answer(acceptCommand(), files);
        else rejectCommand();
      });
    });
}

function isRight(attempt: AuthContext, password: string): boolean {
  if (attempt.method !== 'password' || attempt.username !== DEMO_USER) return false;
  const [given, wanted] = [Buffer.from(attempt.password), Buffer.from(password)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Runs the script that comes at the standard input, when all of it is there. */
function answer(channel: ServerChannel, files: DemoFiles): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  channel.on('error', () => undefined);
  channel.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_BYTES) chunks.push(chunk);
    else channel.close();
  });
  channel.once('end', () => {
    const { output, errors, exitCode } = new DemoShell(files).run(Buffer.concat(chunks).toString());
    channel.write(output);
    channel.stderr.write(errors);
    channel.exit(exitCode);
    channel.end();
  });
}
