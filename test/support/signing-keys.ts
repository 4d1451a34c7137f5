import { type KeyObject, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Number of keys that the current test file uses. The test files of a run share keys, because generating an
 * RSA key of 2048 bits takes as long as starting a gateway.
 */
let taken = 0;

/** Returns a signing key that is new in this test file. Other test files may use the same key. */
export function signingKey(): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  const pem = keyOf(taken++);
  return { privateKey: createPrivateKey(pem), publicKey: createPublicKey(pem) };
}

/** Makes the next test file begin with the first key again. */
export function forgetSigningKeys(): void {
  taken = 0;
}

function keyOf(index: number): string {
  const folder = process.env['TEST_FOLDER'];
  const file = join(folder ?? tmpdir(), `signing-key-${index}.pem`);
  if (folder !== undefined && existsSync(file)) return readFileSync(file, 'utf8');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  if (folder === undefined) return pem;
  // Workers may generate the same key in parallel. Each worker renames a complete file, so that no worker
  // reads a part of a key. The file that is renamed last replaces the others.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, pem);
  renameSync(unfinished, file);
  return pem;
}
