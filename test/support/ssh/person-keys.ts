import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Answer, Person, TestGateway } from '../gateway';
import type { ProgramEnd, SshLogin, SshPrograms } from './programs';

/** A key pair that `ssh-keygen` made. */
export interface KeyFile {
  /** Path of the private key. */
  readonly file: string;
  /** The line of the `.pub` file. */
  readonly line: string;
  /** The fingerprint, as `ssh-keygen -l` shows it. */
  readonly fingerprint: string;
}

let made = 0;

/**
 * Makes a key pair in the folder of the programs.
 * @param kind options of `ssh-keygen`: the type, the size
 */
export async function makeKey(
  programs: SshPrograms,
  kind: readonly string[] = ['-t', 'ed25519'],
): Promise<KeyFile> {
  const file = join(programs.folder, `key-${(made += 1)}`);
  await succeeded(programs, 'ssh-keygen', ['-q', ...kind, '-N', '', '-C', 'alice@laptop', '-f', file]);
  const { stdout } = await succeeded(programs, 'ssh-keygen', ['-lf', `${file}.pub`]);
  const line = await readFile(`${file}.pub`, 'utf8');
  return { file, line: line.trim(), fingerprint: stdout.toString().split(' ')[1] ?? '' };
}

/** Runs a program until it ends. @throws if it fails */
export async function succeeded(
  programs: SshPrograms,
  program: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<ProgramEnd> {
  const end = await programs.start(program, args, { password: '' }, environment).ended;
  if (end.code !== 0) throw new Error(`${program}: ${end.stderr}`);
  return end;
}

/** Options of ssh with which it tries these keys alone. */
export function keyOptions(...keys: readonly Pick<KeyFile, 'file'>[]): string[] {
  return [
    'PubkeyAuthentication=yes',
    'PreferredAuthentications=publickey',
    'IdentitiesOnly=yes',
    ...keys.map(({ file }) => `IdentityFile=${file}`),
  ];
}

/** The login of a person with a key: the connection is the user name. */
export function keyLogin(port: number, connection = 'server'): SshLogin {
  return { user: connection, password: '', port };
}

let names = 0;

/** Asks to register a key. */
export function register(
  gateway: TestGateway,
  person: Person,
  line: string,
  more: object = {},
): Promise<Answer> {
  const body = { name: `key ${(names += 1)}`, public_key: line, ...more };
  return gateway.call(person, 'POST', '/ssh-public-keys', body);
}
