import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';

/** Number of previous signing keys that stay published, because verifiers cache the key set. */
const RETIRED_KEYS_KEPT = 2;

interface StoredKeys {
  /** Private signing keys, newest first. New tokens are signed with the first. */
  signing: JWK[];
  /** Keys that sign the provider's own cookies. */
  cookies: string[];
}

/** The provider's signing and cookie keys, kept in a file if one is given, else in this process only. */
export class DevelopmentKeys {
  private constructor(
    private keys: StoredKeys,
    private readonly file: string | undefined,
  ) {}

  static async open(file?: string): Promise<DevelopmentKeys> {
    const stored = file === undefined ? undefined : await read(file);
    const ring = new DevelopmentKeys(stored ?? (await freshKeys()), file);
    if (stored === undefined) await ring.save();
    return ring;
  }

  get signing(): readonly JWK[] {
    return this.keys.signing;
  }

  get cookies(): readonly string[] {
    return this.keys.cookies;
  }

  /** The verification keys alone, without any private member (RFC 7517, section 9.2). */
  publicKeys(): JWK[] {
    return this.keys.signing.map(({ kty, n, e, kid, alg, use }) => ({ kty, n, e, kid, alg, use }) as JWK);
  }

  async rotate(): Promise<void> {
    const retired = this.keys.signing.slice(0, RETIRED_KEYS_KEPT);
    this.keys = { ...this.keys, signing: [await freshSigningKey(), ...retired] };
    await this.save();
  }

  /** Writes a temporary file and renames it, so that a crash leaves either the old keys or the new ones. */
  private async save(): Promise<void> {
    if (this.file === undefined) return;
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
    const draft = `${this.file}.${process.pid}.new`;
    await writeFile(draft, JSON.stringify(this.keys), { mode: 0o600 });
    await rename(draft, this.file);
  }
}

async function read(file: string): Promise<StoredKeys | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const keys = parse(text);
  if (keys === undefined) {
    throw new Error(
      `${file} does not hold the keys of a development identity provider; delete it to have new ones made.`,
    );
  }
  return keys;
}

function parse(text: string): StoredKeys | undefined {
  try {
    const { signing, cookies } = JSON.parse(text) as Partial<StoredKeys>;
    return signing?.[0]?.d && cookies?.[0] ? { signing, cookies } : undefined;
  } catch {
    return undefined;
  }
}

async function freshKeys(): Promise<StoredKeys> {
  return { signing: [await freshSigningKey()], cookies: [randomBytes(32).toString('base64url')] };
}

/** Uses RS256, because every OpenID Connect relying party must verify it (Core 1.0, section 15.1). */
async function freshSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'RS256', use: 'sig' };
}
