import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Response } from 'express';
import helmet from 'helmet';
import { AppModule } from './app.module';
import { AuditMiddleware } from './audit/audit.middleware';
import { Settings } from './config/settings';
import { AppLogger } from './http/logging';
import type { ChangingRequest } from './http/change';
import { serveApiDocument } from './http/openapi';
import { logRequests } from './http/request-log';

/**
 * Longer than what stands before a gateway keeps a connection that nobody uses, which is 60 s with most load balancers:
 * otherwise it now and then sends a request into one that was just closed, and its caller is told 502.
 */
const IDLE_CONNECTION_MS = 65_000;

/** The whole app, wired and ready to listen. The database must be migrated already. */
export async function createApp(settings: Settings): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(settings), {
    bufferLogs: true,
    abortOnError: false,
    bodyParser: false,
  });
  app.useLogger(app.get(AppLogger));
  const server: Server = app.getHttpServer();
  server.keepAliveTimeout = IDLE_CONNECTION_MS;
  app.disable('x-powered-by');
  // A hash of every answer would be made anew each time and save none of the work; what never changes brings its own.
  app.set('etag', false);
  app.set('trust proxy', settings.TRUST_PROXY);
  logRequests(app);
  app.use(
    helmet({
      // Otherwise the Swagger UI asks for its own files over https, which a plain-http gateway does not speak.
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
      referrerPolicy: { policy: 'no-referrer' },
      strictTransportSecurity: settings.API_URL.startsWith('https:'),
      // For browsers and plug-ins that are gone; each header costs every answer.
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
      originAgentCluster: false,
    }),
  );
  app.useBodyParser('json', { limit: `${settings.BODY_LIMIT_MB}mb` });
  // Mounted by hand: as a middleware of a module it would become a route for every HTTP method, tried at each request.
  const audit = app.get(AuditMiddleware);
  app.use((request: ChangingRequest, response: Response, next: NextFunction) =>
    audit.use(request, response, next),
  );
  app.setGlobalPrefix(settings.API_PREFIX);
  serveApiDocument(app, settings.API_PREFIX);
  return app;
}
