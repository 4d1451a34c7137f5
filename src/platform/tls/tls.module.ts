import { type DynamicModule, Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics.module';
import { CertificateWatch } from './certificate-watch';
import { ServerCertificate } from './server-certificate';

/**
 * Provides the certificate to modules that open a port. The server of the REST API is made before the modules
 * and gets it directly.
 */
@Module({})
export class TlsModule {
  static with(certificate: ServerCertificate): DynamicModule {
    return {
      module: TlsModule,
      imports: [MetricsModule],
      providers: [{ provide: ServerCertificate, useValue: certificate }, CertificateWatch],
      exports: [ServerCertificate],
    };
  }
}
