import { createReadStream, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Settings } from '../../config/settings';
import { variables } from '../../config/variables';
import { messageOf } from '../../kernel/app-error';
import { RecordingSeal } from '../recording/chain';
import { type FileReport, verifyFile } from './verify-file';
import { FileSeal } from './file-seal';
import { sentencesOf } from './report';

const USAGE = `Verifies a recording that was downloaded with extension=evidence, without database and network.

  verify-recording <file> [--chain-hash <hex>] [--secret-key-file <file>]

  --chain-hash       the chain hash that was noted elsewhere, to be compared with the file's
  --secret-key-file  the gateway's SECRET_KEY: checks the seals. The variable SECRET_KEY does as well.

Ends with 0 when nothing is wrong, 1 when the recording is not as it was recorded, 2 when it could not be looked at.
`;

export const WHOLE = 0;
export const BROKEN = 1;
export const NOT_LOOKED_AT = 2;

/** Prints what is found in plain words. Returns the exit code. */
export async function verifyCommand(
  args: string[],
  env: NodeJS.ProcessEnv,
  print: (text: string) => void,
): Promise<number> {
  try {
    const { file, chainHash, keyFile } = optionsOf(args);
    if (file === undefined) {
      print(USAGE);
      return NOT_LOOKED_AT;
    }
    const stream = createReadStream(file, { highWaterMark: 1024 * 1024 });
    const report = await verifyFile(stream as AsyncIterable<Buffer>, sealsOf(keyFile, env));
    const faults = [...report.faults, ...faultOfHash(report, chainHash)];
    for (const sentence of sentencesOf({ ...report, faults }, chainHash)) print(`${sentence}\n`);
    return faults.length === 0 ? WHOLE : BROKEN;
  } catch (error) {
    print(`${messageOf(error)}\n`);
    return NOT_LOOKED_AT;
  }
}

function optionsOf(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'chain-hash': { type: 'string' }, 'secret-key-file': { type: 'string' } },
  });
  if (positionals.length > 1) throw new Error('Give one file.');
  const chainHash = values['chain-hash']?.toLowerCase();
  if (chainHash !== undefined && !/^[0-9a-f]{64}$/.test(chainHash))
    throw new Error('--chain-hash must be 64 hexadecimal digits.');
  return { file: positionals[0], chainHash, keyFile: values['secret-key-file'] };
}

function sealsOf(keyFile: string | undefined, env: NodeJS.ProcessEnv) {
  const text = keyFile === undefined ? env['SECRET_KEY'] : readFileSync(keyFile, 'utf8').trim();
  if (text === undefined || text === '') return undefined;
  const keys = variables.shape.SECRET_KEY.safeParse(text);
  if (!keys.success || keys.data === undefined) {
    throw new Error(`The secret key cannot be used: ${keys.error?.issues[0]?.message ?? 'it is empty'}.`);
  }
  const settings = Object.assign(Object.create(Settings.prototype) as Settings, { SECRET_KEY: keys.data });
  return { recording: new RecordingSeal(settings), file: new FileSeal(settings) };
}

function faultOfHash({ head }: FileReport, chainHash: string | undefined): string[] {
  if (chainHash === undefined || head === undefined || head.chain_hash.toString('hex') === chainHash)
    return [];
  return [`The chain hash is not the one that was noted: the file has ${head.chain_hash.toString('hex')}.`];
}
