import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A server to which programs sign in directly, and the gateway for them. */
export interface ProgramTarget {
  readonly name: 'OpenSSH' | 'Dropbear' | 'AsyncSSH';
  readonly port: number;
  readonly user: string;
  /** File with the private key that signs in. */
  readonly keyFile: string;
  /** Public host key. */
  readonly hostKey: string;
  /** A folder on the server. */
  readonly folder: string;
  /** Number of channels that programs open at a time. */
  readonly channels: number;
  secret(): Record<string, string>;
  close(): Promise<void>;
}

/** Place and form of the sign-in of a program, and folders for its files. */
export interface SshWay {
  readonly isDirect: boolean;
  readonly port: number;
  readonly user: string;
  /** One of both. */
  readonly password?: string;
  readonly keyFile?: string;
  /** Public host key. */
  readonly hostKey: string;
  /** Number of channels to open at a time. */
  readonly channels: number;
  /** A port of this machine, which sends back what it gets when that has ended. */
  readonly echoPort: number;
  /** Folder on the server, and folder here; both are empty. */
  readonly remote: string;
  readonly local: string;
}

/** The way as variables of a program's environment. */
export function variablesOf(way: SshWay): NodeJS.ProcessEnv {
  const { port, user, password, keyFile, echoPort, channels, remote, local } = way;
  return {
    PATH: process.env['PATH'],
    HOME: local,
    LANG: 'C.UTF-8',
    WAY_PORT: String(port),
    WAY_USER: user,
    WAY_KNOWN_HOSTS: join(local, 'known_hosts'),
    WAY_ECHO_PORT: String(echoPort),
    WAY_CHANNELS: String(channels),
    WAY_REMOTE: remote,
    WAY_LOCAL: local,
    ...(password === undefined ? {} : { WAY_PASSWORD: password }),
    ...(keyFile === undefined ? {} : { WAY_KEY_FILE: keyFile }),
  };
}

/** Makes the folders of a way, with its host key. */
export function wayOf(
  target: ProgramTarget,
  echoPort: number,
  through?: Pick<SshWay, 'port' | 'user' | 'hostKey'> & { readonly password: string },
): SshWay {
  const remote = mkdtempSync(join(target.folder, 'remote-'));
  const local = mkdtempSync(join(target.folder, 'local-'));
  const { port, user, hostKey } = through ?? target;
  writeFileSync(join(local, 'known_hosts'), `[127.0.0.1]:${port} ${hostKey}\n`);
  const signIn = through === undefined ? { keyFile: target.keyFile } : { password: through.password };
  return {
    isDirect: through === undefined,
    port,
    user,
    hostKey,
    echoPort,
    channels: target.channels,
    remote,
    local,
    ...signIn,
  };
}
