import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { once } from '../kernel/async/once';
import type { Settings } from '../platform/config/settings';
import { GatewayAdapter } from '../platform/http/edge/gateway-adapter';
import { SecurityHeaders } from '../platform/http/edge/security-headers';
import { AppLogger } from '../platform/http/logs/logging';
import { apiDocument, serveApiDocument } from '../platform/http/openapi';
import { ServerCertificate } from '../platform/tls/server-certificate';
import { AppModule } from './app.module';
import { EDGE } from './edge';

/** The whole app, ready to listen. The database must have been migrated. */
export async function createApp(settings: Settings): Promise<NestExpressApplication> {
  const certificate = new ServerCertificate(settings.tls);
  const adapter = new GatewayAdapter({ requestMs: settings.http.requestSeconds * 1000 }, certificate);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(settings, certificate),
    adapter,
    {
      bufferLogs: true,
      abortOnError: false,
      bodyParser: false,
    },
  );
  app.useLogger(app.get(AppLogger));
  app.disable('x-powered-by');
  // Switches off Express's own ETags, because hashing every answer saves no work here. Answers that never
  // change set their own ETag.
  app.set('etag', false);
  app.set('trust proxy', settings.http.trustProxy);
  const { apiPrefix, apiUrl } = settings.http;
  const security = new SecurityHeaders(apiUrl.startsWith('https:'), `${apiPrefix}/docs`);
  const document = once(() => apiDocument(app, apiPrefix));
  for (const step of EDGE) await step.apply({ app, adapter, settings, security, document });
  app.setGlobalPrefix(apiPrefix);
  serveApiDocument(app, apiPrefix, document);
  return app;
}
