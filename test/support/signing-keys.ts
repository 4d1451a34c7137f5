import { type KeyObject, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * An RSA key of 2048 bits takes as long to make as a gateway to start: the test files of a run share theirs.
 */
let taken = 0;

/** A signing key that no other part of this test file has. Other files may have the same. */
export function signingKey(): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  const pem = keyOf(taken++);
  return { privateKey: createPrivateKey(pem), publicKey: createPublicKey(pem) };
}

/** The next test file begins with the first key again. */
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
  // Workers make keys at the same time: each sees a whole file or none. That of the last one stays.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, pem);
  renameSync(unfinished, file);
  return pem;
}
