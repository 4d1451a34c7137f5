import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { drop, keep, readKept } from './folder.js';

/** Keeps one secret for each gateway. */
export interface SecretStore {
  read(url: string): string | undefined;
  /** Stores the secret. Returns the name of the place where it is stored; undefined if that failed. */
  write(url: string, secret: string): string | undefined;
  remove(url: string): void;
}

/** A store that always accepts a secret: its `write` never returns undefined. */
interface SureStore extends SecretStore {
  write(url: string, secret: string): string;
}

const SERVICE = 'access-gateway';
const KEYCHAIN = 'the keychain';
/** Timeout for the keychain, which may wait for a user who is not there. */
const PATIENCE_MS = 15_000;

/**
 * Returns the system's keychain where its program is present, otherwise a file that only its owner can read.
 * `GATEWAY_KEYCHAIN=off` selects the file. The secret goes to the keychain's program through standard input,
 * never through arguments.
 */
export function secretStore(env = process.env): SureStore {
  if (env['GATEWAY_KEYCHAIN'] === 'off') return file;
  const hasDesktop = (env['DBUS_SESSION_BUS_ADDRESS'] ?? '') !== '';
  const keychain =
    process.platform === 'darwin'
      ? security
      : process.platform === 'linux' && hasDesktop
        ? secretTool
        : undefined;
  return keychain === undefined ? file : falling(keychain);
}

/**
 * A keychain that falls back to the file while the keychain is locked or not installed. Reads the file first:
 * if the file exists, its secret is newer, because storing a secret in the keychain removes the file.
 */
function falling(keychain: SecretStore): SureStore {
  return {
    read: (url) => file.read(url) ?? keychain.read(url),
    write: (url, secret) => {
      const place = keychain.write(url, secret);
      if (place === undefined) return file.write(url, secret);
      file.remove(url);
      return place;
    },
    remove: (url) => {
      keychain.remove(url);
      file.remove(url);
    },
  };
}

const file: SureStore = {
  read: (url) => readKept(fileOf(url)),
  write: (url, secret) => {
    keep(fileOf(url), secret);
    return 'a file that only you can read';
  },
  remove: (url) => drop(fileOf(url)),
};

const secretTool: SecretStore = {
  read: (url) => outputOf('secret-tool', ['lookup', 'service', SERVICE, 'url', url]),
  write: (url, secret) => {
    const args = ['store', '--label', `Access Gateway ${url}`, 'service', SERVICE, 'url', url];
    return outputOf('secret-tool', args, secret) === undefined ? undefined : KEYCHAIN;
  },
  remove: (url) => void outputOf('secret-tool', ['clear', 'service', SERVICE, 'url', url]),
};

const security: SecretStore = {
  read: (url) => {
    const hex = outputOf('security', ['find-generic-password', '-s', SERVICE, '-a', url, '-w']);
    return hex === undefined ? undefined : Buffer.from(hex.trim(), 'base64').toString();
  },
  write: (url, secret) => {
    // `security` reads this command from standard input. The URL and base64 need no escaping in its syntax.
    const text = Buffer.from(secret).toString('base64');
    const command = `add-generic-password -U -s ${SERVICE} -a "${url}" -w "${text}"\n`;
    return outputOf('security', ['-i'], command) === undefined ? undefined : KEYCHAIN;
  },
  remove: (url) => void outputOf('security', ['delete-generic-password', '-s', SERVICE, '-a', url]),
};

function outputOf(program: string, args: readonly string[], input = ''): string | undefined {
  const { status, stdout } = spawnSync(program, args, {
    input,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout : undefined;
}

function fileOf(url: string): string {
  return `sign-in-${createHash('sha256').update(url).digest('hex').slice(0, 16)}.json`;
}
