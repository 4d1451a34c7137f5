import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { Logger } from '@nestjs/common';
import type { TlsSettings } from '../config/groups';
import { messageOf } from '../../kernel/app-error';
import { PeriodicTask } from '../../kernel/async/periodic-task';
import { strictText } from '../../kernel/text/strict-utf8';
import { type TlsPair, certificateEnd, tlsPairFault } from '../config/tls-pair';

/** Ports that speak TLS if they are listed in `TLS_PORTS`. */
export type TlsPort = TlsSettings['ports'][number];

/** Bit of a file mode that lets every user of the machine read the file. */
const OTHERS_READ = 0o004;

/** Number of changed certificates that were accepted, and of those that were refused. */
export interface CertificateReloads {
  replaced: number;
  refused: number;
}

/**
 * The certificate of this gateway, for all its ports. Its files (`TLS_CERT_FILE`, `TLS_KEY_FILE`) are read
 * again every `TLS_RELOAD_SECONDS`. New connections then use the new certificate; open connections continue.
 * If the files cannot be used, the old certificate stays, and the log and a metric report the fault.
 *
 * The files are polled, because a mounted secret is replaced through symbolic links, and a file watch does
 * not notice such a replacement.
 */
export class ServerCertificate {
  readonly reloads: CertificateReloads = { replaced: 0, refused: 0 };
  private readonly log = new Logger(ServerCertificate.name);
  private readonly listeners: ((pair: TlsPair) => void)[] = [];
  private readonly reading: PeriodicTask;
  private current: TlsPair | undefined;
  /** Fault of the files at the last reading. */
  private fault: string | undefined;
  private toldFault: string | undefined;

  constructor(private readonly settings: TlsSettings) {
    const { cert, key, reloadSeconds } = settings;
    this.current = cert === undefined || key === undefined ? undefined : { cert, key };
    this.reading = new PeriodicTask({
      everyMs: reloadSeconds * 1000,
      work: () => this.look(),
      onError: (message) => this.log.error(`The TLS certificate could not be read again: ${message}`),
    });
  }

  /** Returns the certificate and key for a port; undefined if the port does not use TLS. */
  pairFor(port: TlsPort): TlsPair | undefined {
    return this.settings.ports.includes(port) ? this.current : undefined;
  }

  /** Whether the files cannot be used, so that the old certificate is still served. */
  get isStale(): boolean {
    return this.toldFault !== undefined;
  }

  /** Expiry of the certificate, in seconds since 1970; undefined without a certificate. */
  get endsAt(): number | undefined {
    return this.current === undefined ? undefined : certificateEnd(this.current) / 1000;
  }

  /** @param listener called with each new certificate and key, which `pairFor` returns from then on */
  onReplaced(listener: (pair: TlsPair) => void): void {
    this.listeners.push(listener);
  }

  /** Logs warnings about the certificate and the mode of its key file, and starts polling the files. */
  async start(): Promise<void> {
    if (this.current === undefined) return;
    this.warnOfEnd(this.current);
    await this.warnOfReaders();
    const { certFile, keyFile } = this.settings;
    if (certFile === undefined && keyFile === undefined) return;
    // Reads at once, because a replacement worker starts with a certificate and key that were read long ago.
    await this.look();
    this.reading.start();
  }

  async stop(): Promise<void> {
    await this.reading.stop();
  }

  /** Reads the files now. Never rejects. */
  async look(): Promise<void> {
    const found = await this.read();
    const fault = typeof found === 'string' ? found : tlsPairFault(found);
    if (fault !== undefined || typeof found === 'string') return this.keep(fault ?? '');
    const wasFaulty = this.isStale;
    this.fault = undefined;
    this.toldFault = undefined;
    if (found.cert === this.current?.cert && found.key === this.current.key) {
      if (wasFaulty) this.log.log('The files of the TLS certificate can be used again; nothing has changed');
      return;
    }
    this.current = found;
    this.reloads.replaced += 1;
    for (const listener of this.listeners) listener(found);
    const { fingerprint256, validTo } = new X509Certificate(found.cert);
    this.log.log({ fingerprint256, validTo }, 'The TLS certificate was replaced: new connections get it');
    this.warnOfEnd(found);
    await this.warnOfReaders();
  }

  /** Reports a fault only when two checks in a row find it, because the two files may be replaced in turn. */
  private keep(fault: string): void {
    if (fault === this.toldFault) return;
    if (fault !== this.fault) {
      this.fault = fault;
      return;
    }
    this.toldFault = fault;
    this.reloads.refused += 1;
    this.log.error(`The TLS certificate stays as it was, because its files cannot be used: ${fault}`);
  }

  private async read(): Promise<TlsPair | string> {
    const { cert = '', key = '', certFile, keyFile } = this.settings;
    try {
      return {
        cert: certFile === undefined ? cert : strictText(await readFile(certFile), certFile).trim(),
        key: keyFile === undefined ? key : strictText(await readFile(keyFile), keyFile).trim(),
      };
    } catch (error) {
      return messageOf(error);
    }
  }

  private warnOfEnd(pair: TlsPair): void {
    if (certificateEnd(pair) < Date.now())
      this.log.error('The TLS certificate has expired: clients that check it will not connect');
  }

  private async warnOfReaders(): Promise<void> {
    const { keyFile } = this.settings;
    if (keyFile === undefined || process.platform === 'win32') return;
    const mode = (await stat(keyFile).catch(() => undefined))?.mode ?? 0;
    if ((mode & OTHERS_READ) === 0) return;
    this.log.warn(
      `Every user of this machine may read TLS_KEY_FILE (mode ${(mode & 0o777).toString(8)}): chmod 600 it, or 640 with a group of the gateway's own`,
    );
  }
}
