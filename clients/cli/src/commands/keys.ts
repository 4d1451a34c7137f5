import { type components, answered } from '@access-gateway/client';
import type { Context } from '../context.js';
import { CommandFault, EXIT } from '../exit-codes.js';
import { readTextFile } from '../text-file.js';

type Key = components['schemas']['SshPublicKeyView'];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Marks of a private key, which must not leave this computer. The gateway knows more forms. */
const PRIVATE = /PRIVATE KEY|PuTTY-User-Key-File/i;

export interface KeyListOptions {
  readonly user?: string;
}

/** `gateway keys list`: lists the public keys by which a user signs in over SSH. */
export async function listKeys({ gateway, output }: Context, query: KeyListOptions): Promise<void> {
  const found: Key[] = [];
  for await (const one of gateway.each('/ssh-public-keys', query)) found.push(one);
  output.table(
    found,
    ['ID', 'NAME', 'TYPE', 'FINGERPRINT', 'STATUS', 'LAST USED'],
    found.map((one) => [one.id, one.name, one.type, one.fingerprint, one.status, one.last_used_at]),
  );
}

export interface KeyAddOptions {
  readonly name?: string;
  readonly expires?: string;
}

/** `gateway keys add`: registers the public key in a file. Without `--name`, its comment is the name. */
export async function addKey(
  { gateway, output }: Context,
  file: string,
  { name, expires }: KeyAddOptions,
): Promise<void> {
  const line = readTextFile(file, 'the public key');
  if (PRIVATE.test(line))
    throw new CommandFault('this is a private key, and was not sent: name the .pub file', EXIT.usage);
  const comment = line.trim().split(/\s+/).slice(2).join(' ');
  const called = name ?? comment;
  if (called === '')
    throw new CommandFault('this key has no comment: give it a name with --name', EXIT.usage);
  const body = { name: called, public_key: line, ...(expires === undefined ? {} : { expires_at: expires }) };
  const key = await answered(gateway.api.POST('/ssh-public-keys', { body }));
  const { id, type, fingerprint, expires_at: until } = key;
  output.fields(key, { id, name: key.name, type, fingerprint, ...(until === null ? {} : { until }) });
}

/** `gateway keys remove`: removes a key by its id, or an own key by its name. */
export async function removeKey({ gateway, output }: Context, nameOrId: string): Promise<void> {
  const id = UUID.test(nameOrId) ? nameOrId : await idOf(gateway, nameOrId);
  await gateway.api.DELETE('/ssh-public-keys/{id}', { params: { path: { id } } });
  output.say(`removed ${nameOrId}`);
}

async function idOf(gateway: Context['gateway'], name: string): Promise<string> {
  for await (const one of gateway.each('/ssh-public-keys', {})) if (one.name === name) return one.id;
  throw new CommandFault(`you have no public key named ${name}`, EXIT.notFound);
}
