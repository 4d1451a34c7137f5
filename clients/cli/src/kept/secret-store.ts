import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { drop, keep, readKept } from './folder.js';

/** Keeps one secret for each gateway. */
export interface SecretStore {
  readonly name: string;
  read(url: string): string | undefined;
  write(url: string, secret: string): boolean;
  remove(url: string): void;
}

const SERVICE = 'access-gateway';
/** Timeout for the keychain, which may wait for a user who is not there. */
const PATIENCE_MS = 15_000;

/**
 * Returns the system's keychain where its program is present, otherwise a file that only its owner can read.
 * `GATEWAY_KEYCHAIN=off` selects the file. The secret goes to the keychain's program through standard input,
 * never through arguments.
 */
export function secretStore(env = process.env): SecretStore {
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

/** Falls back to the file when the keychain is locked or not installed. */
function falling(keychain: SecretStore): SecretStore {
  return {
    name: keychain.name,
    read: (url) => keychain.read(url) ?? file.read(url),
    write: (url, secret) => {
      if (!keychain.write(url, secret)) return file.write(url, secret);
      file.remove(url);
      return true;
    },
    remove: (url) => {
      keychain.remove(url);
      file.remove(url);
    },
  };
}

const file: SecretStore = {
  name: 'a file that only you can read',
  read: (url) => readKept(fileOf(url)),
  write: (url, secret) => {
    keep(fileOf(url), secret);
    return true;
  },
  remove: (url) => drop(fileOf(url)),
};

const secretTool: SecretStore = {
  name: 'the keychain',
  read: (url) => outputOf('secret-tool', ['lookup', 'service', SERVICE, 'url', url]),
  write: (url, secret) => {
    const args = ['store', '--label', `Access Gateway ${url}`, 'service', SERVICE, 'url', url];
    return outputOf('secret-tool', args, secret) !== undefined;
  },
  remove: (url) => void outputOf('secret-tool', ['clear', 'service', SERVICE, 'url', url]),
};

const security: SecretStore = {
  name: 'the keychain',
  read: (url) => {
    const hex = outputOf('security', ['find-generic-password', '-s', SERVICE, '-a', url, '-w']);
    return hex === undefined ? undefined : Buffer.from(hex.trim(), 'base64').toString();
  },
  write: (url, secret) => {
    // `security` reads this command from standard input. The URL and base64 need no escaping in its syntax.
    const text = Buffer.from(secret).toString('base64');
    return (
      outputOf('security', ['-i'], `add-generic-password -U -s ${SERVICE} -a "${url}" -w "${text}"\n`) !==
      undefined
    );
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
