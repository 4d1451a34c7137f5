import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { portEndpoints } from '../../targets/kinds';
import { type Diagnosis, Reporter } from './diagnosis';
import type { Examined } from './examined';
import { isReadByOthers } from './secret-files-check';

const report = new Reporter('tls');
const DAY_MS = 86_400_000;
/**
 * Days before expiry at which the doctor warns. deploy/prometheus alerts a week later
 * (`GatewayCertificateEnds`).
 */
const WARN_BEFORE_DAYS = 14;

/** Checks dates, names and files of the certificate. `readEnvironment` has compared it with its key. */
export async function checkTls({ settings }: Examined): Promise<Diagnosis[]> {
  const { cert, keyFile, ports } = settings.tls;
  if (cert === undefined) return [report.ok('No certificate is set, so the gateway speaks no TLS itself.')];
  const certificate = new X509Certificate(cert);
  const found = [
    ...timesOf(certificate),
    ...namesOf(certificate, settings),
    ...(keyFile === undefined ? [] : await readersOf(keyFile)),
  ];
  if (found.length > 0) return found;
  return [report.ok(`The certificate is good until ${dayOf(certificate.validTo)}, for ${ports.join(', ')}.`)];
}

function timesOf({ validFrom, validTo }: X509Certificate): Diagnosis[] {
  const daysLeft = Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS);
  if (Date.parse(validTo) < Date.now())
    return [
      report.fault(
        `The certificate expired on ${dayOf(validTo)}.`,
        'Renew it: a running gateway takes replaced files by itself.',
      ),
    ];
  if (Date.parse(validFrom) > Date.now())
    return [
      report.fault(
        `The certificate is good from ${dayOf(validFrom)} on only.`,
        'Set the clock of this machine, or wait.',
      ),
    ];
  if (daysLeft < WARN_BEFORE_DAYS)
    return [
      report.warning(
        `The certificate expires on ${dayOf(validTo)}.`,
        'Renew it, and look why that did not happen by itself.',
      ),
    ];
  return [];
}

function namesOf(certificate: X509Certificate, settings: Examined['settings']) {
  const { http, tls } = settings;
  const ports = portEndpoints().map((endpoint) => endpoint.port(settings));
  const wanted = [
    ...(tls.ports.includes('rest') ? [['API_URL', new URL(http.apiUrl).hostname] as const] : []),
    ...ports
      .filter(({ isTls, port }) => isTls && port > 0)
      .map(({ hostVariable, host }) => [hostVariable, host] as const),
  ];
  return wanted
    .filter(([, host]) => !covers(certificate, host.replace(/^\[(.*)\]$/, '$1')))
    .map(([variable, host]) =>
      report.warning(
        `The certificate is not for ${host}, the host of ${variable}: clients that check it do not connect.`,
        `Get one with this name, or correct ${variable}.`,
      ),
    );
}

function covers(certificate: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
}

async function readersOf(keyFile: string): Promise<Diagnosis[]> {
  if (!(await isReadByOthers(keyFile))) return [];
  return [
    report.warning(
      'Every user of this machine may read TLS_KEY_FILE.',
      "chmod 600 it, or 640 with a group of the gateway's own.",
    ),
  ];
}

function dayOf(time: string): string {
  return new Date(time).toISOString().slice(0, 10);
}
