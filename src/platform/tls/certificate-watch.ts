import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Meter } from '../metrics/meter';
import { ServerCertificate } from './server-certificate';

/** Keeps the certificate of this process up to date while it serves, and shows its state as metrics. */
@Injectable()
export class CertificateWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly certificate: ServerCertificate,
    meter: Meter,
  ) {
    meter.read('gateway_tls_certificate_end_timestamp_seconds', {}, () => certificate.endsAt);
    meter.read('gateway_tls_certificate_stale', {}, () => Number(certificate.isStale));
    const { reloads } = certificate;
    meter.read('gateway_tls_reloads_total', { result: 'replaced' }, () => reloads.replaced);
    meter.read('gateway_tls_reloads_total', { result: 'refused' }, () => reloads.refused);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.certificate.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.certificate.stop();
  }
}
