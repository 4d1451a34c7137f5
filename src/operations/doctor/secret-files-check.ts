import { stat } from 'node:fs/promises';
import { type Diagnosis, Reporter } from './diagnosis';
import type { Examined } from './examined';

const report = new Reporter('secret files');
const OTHERS_READ = 0o004;
/** Certificates, which are not secret. */
const PUBLIC = ['TLS_CERT', 'SYSLOG_CA', 'SYSLOG_CERT'];
/** Secrets whose files are checked together with the certificate, by `checkTls`. */
const REPORTED_ELSEWHERE = ['TLS_KEY'];

/** Warns of files with secrets that every user of the machine can read. */
export async function checkSecretFiles({ secretFiles }: Examined): Promise<Diagnosis[]> {
  const secret = [...secretFiles].filter(([name]) => !PUBLIC.includes(name));
  if (secret.length === 0) return [];
  const found: Diagnosis[] = [];
  for (const [name, file] of secret)
    if (!REPORTED_ELSEWHERE.includes(name) && (await isReadByOthers(file)))
      found.push(
        report.warning(
          `Every user of this machine may read ${name}_FILE.`,
          "chmod 600 it, or 640 with a group of the gateway's own.",
        ),
      );
  if (found.length > 0) return found;
  return [report.ok(`Not every user of this machine may read ${secret.map(([name]) => name).join(', ')}.`)];
}

/** Whether every user may read the file. False on Windows, which has no file modes. */
export async function isReadByOthers(file: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  const mode = (await stat(file).catch(() => undefined))?.mode ?? 0;
  return (mode & OTHERS_READ) !== 0;
}
