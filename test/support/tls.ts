import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A self-signed certificate for `localhost` and 127.0.0.1, and its key; both as PEM. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Arguments of openssl for each kind of key and signature. */
const kinds = {
  'rsa-sha256': ['-newkey', 'rsa:2048', '-sha256'],
  'rsa-sha1': ['-newkey', 'rsa:2048', '-sha1'],
  'rsa-sha512': ['-newkey', 'rsa:2048', '-sha512'],
  'rsa-pss-sha384': ['-newkey', 'rsa:2048', '-sha384', '-sigopt', 'rsa_padding_mode:pss'],
  'ecdsa-sha256': ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-sha256'],
  'ecdsa-sha384': ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:secp384r1', '-sha384'],
  ed25519: ['-newkey', 'ed25519'],
} as const;

export type CertificateKind = keyof typeof kinds;

export function makeCertificate(kind: CertificateKind = 'ecdsa-sha256'): TestCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  try {
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const files = ['-nodes', '-keyout', key, '-out', cert];
    execFileSync('openssl', ['req', '-x509', '-days', '2', ...kinds[kind], ...names, ...files], {
      stdio: 'pipe',
    });
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A certificate whose last day was yesterday, and its key. */
export function makeExpiredCertificate(): TestCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
  const [cert, key, request] = ['cert.pem', 'key.pem', 'request.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const run = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'pipe' });
  try {
    run(
      'req',
      '-new',
      ...kinds['ecdsa-sha256'],
      '-nodes',
      '-subj',
      '/CN=localhost',
      '-keyout',
      key,
      '-out',
      request,
    );
    run('x509', '-req', '-in', request, '-signkey', key, '-days', '-1', '-out', cert);
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Programs that tests need. `script` runs a program on a pseudo-terminal. */
export type NeededProgram = 'fish' | 'openssl' | 'promtool' | 'psql' | 'rsyslogd' | 'script' | 'zsh';

const VERSION_OPTIONS: Readonly<Record<string, string>> = { openssl: 'version', rsyslogd: '-v' };

/** Why tests that need the program are skipped; undefined if they can run. */
export function whyWithout(program: NeededProgram): string | undefined {
  try {
    execFileSync(program, [VERSION_OPTIONS[program] ?? '--version'], { stdio: 'pipe' });
    return undefined;
  } catch {
    return `${program} is not installed here`;
  }
}

/** Returns `describe`; if a program is not installed, `describe.skip` with the reason in the name. */
export function describeWith(...programs: readonly NeededProgram[]): jest.Describe {
  const reason = programs.map(whyWithout).find((why) => why !== undefined);
  if (reason === undefined) return describe;
  const skipped = (name: string, body: () => void): void =>
    describe.skip(`${name} (skipped: ${reason})`, body);
  return skipped as unknown as jest.Describe;
}
