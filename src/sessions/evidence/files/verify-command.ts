import { createReadStream, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { variables } from '../../../platform/config/variables';
import { messageOf } from '../../../kernel/app-error';
import { strictText } from '../../../kernel/text/strict-utf8';
import { KeyRing } from '../../../platform/keys/key-ring';
import type { EvidenceKey } from '../../../platform/keys/published-keys';
import { publicKeyFrom, publicPartOf, signingKeyOf } from '../../../platform/keys/signature';
import { RecordingSeal } from '../../format/chain';
import { type FileReport, type VerificationKeys, verifyFile } from './verify-file';
import { FileSeal } from './file-seal';
import { sentencesOf } from './report';

const USAGE = `Verifies a recording that was downloaded with extension=evidence, without database and network.

  verify-recording <file> [--public-keys <file>] [--chain-hash <hex>] [--secret-key-file <file>]

  --public-keys      what GET /evidence-keys answered (a JSON Web Key Set): checks the signatures. No secret is needed.
  --chain-hash       the chain hash that was noted elsewhere, to be compared with the file's
  --secret-key-file  the gateway's SECRET_KEY: checks the seals, and the signatures of its keys. The variable
                     SECRET_KEY does as well.

Ends with 0 when nothing is wrong, 1 when the recording was changed, 2 when it could not be verified,
3 when nothing is wrong but a key that made a seal or a signature was not given, or nothing was signed.
`;

export const WHOLE = 0;
export const BROKEN = 1;
export const NOT_LOOKED_AT = 2;
export const UNKNOWN_KEY = 3;

/** Verifies a file and prints the findings. Returns the exit code. */
export async function verifyCommand(
  args: string[],
  env: NodeJS.ProcessEnv,
  print: (text: string) => void,
): Promise<number> {
  try {
    const { file, chainHash, keyFile, publicKeys } = optionsOf(args);
    if (file === undefined) {
      print(USAGE);
      return NOT_LOOKED_AT;
    }
    const stream = createReadStream(file, { highWaterMark: 1024 * 1024 });
    const means = meansOf(keyFile, publicKeys, env);
    const report = await verifyFile(stream as AsyncIterable<Buffer>, means);
    const faults = [...report.faults, ...faultOfHash(report, chainHash)];
    for (const sentence of sentencesOf({ ...report, faults }, chainHash)) print(`${sentence}\n`);
    if (faults.length > 0) return BROKEN;
    return report.unknownKeys.length === 0 && !report.isUnproven ? WHOLE : UNKNOWN_KEY;
  } catch (error) {
    print(`${messageOf(error)}\n`);
    return NOT_LOOKED_AT;
  }
}

function optionsOf(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'chain-hash': { type: 'string' },
      'public-keys': { type: 'string' },
      'secret-key-file': { type: 'string' },
    },
  });
  if (positionals.length > 1) throw new Error('Give one file.');
  const chainHash = values['chain-hash']?.toLowerCase();
  if (chainHash !== undefined && !/^[0-9a-f]{64}$/.test(chainHash))
    throw new Error('--chain-hash must be 64 hexadecimal digits.');
  return {
    file: positionals[0],
    chainHash,
    keyFile: values['secret-key-file'],
    publicKeys: values['public-keys'],
  };
}

function meansOf(
  keyFile: string | undefined,
  publicKeys: string | undefined,
  env: NodeJS.ProcessEnv,
): VerificationKeys {
  const keys = new Map<string, EvidenceKey>();
  if (publicKeys !== undefined) for (const key of publicKeysIn(publicKeys)) keys.set(key.id, key);
  const secrets = secretKeysOf(keyFile, env);
  if (secrets === undefined) return { keys: publicKeys === undefined ? undefined : keys };
  for (const { id, key } of new KeyRing(secrets).all) {
    const x = publicPartOf(signingKeyOf(key));
    keys.set(id, { id, x, publicKey: publicKeyFrom(x) });
  }
  return {
    keys,
    seals: { recording: new RecordingSeal({ keys: secrets }), file: new FileSeal({ keys: secrets }) },
  };
}

function secretKeysOf(keyFile: string | undefined, env: NodeJS.ProcessEnv): Buffer[] | undefined {
  const text = keyFile === undefined ? env['SECRET_KEY'] : strictText(readFileSync(keyFile), keyFile).trim();
  if (text === undefined || text === '') return undefined;
  const keys = variables.shape.SECRET_KEY.safeParse(text);
  if (!keys.success || keys.data === undefined) {
    throw new Error(`The secret key cannot be used: ${keys.error?.issues[0]?.message ?? 'it is empty'}.`);
  }
  return keys.data;
}

const keySet = z.object({
  keys: z.array(
    z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), kid: z.string(), x: z.string() }),
  ),
});

function publicKeysIn(file: string): EvidenceKey[] {
  let json: unknown;
  try {
    json = JSON.parse(strictText(readFileSync(file), file));
  } catch (error) {
    throw new Error(`The public keys cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  const found = keySet.safeParse(json);
  if (!found.success) throw new Error('The public keys are not a JSON Web Key Set of Ed25519 keys.');
  return found.data.keys.map(({ kid, x }) => ({ id: kid, x, publicKey: publicKeyFrom(x) }));
}

function faultOfHash({ head }: FileReport, chainHash: string | undefined): string[] {
  if (chainHash === undefined || head === undefined || head.chain_hash.toString('hex') === chainHash)
    return [];
  return [`The chain hash differs from the expected one: the file has ${head.chain_hash.toString('hex')}.`];
}
