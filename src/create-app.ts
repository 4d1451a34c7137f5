import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { AppModule } from './app.module';
import { AuditMiddleware } from './audit/audit.middleware';
import { AuthorizationEndpoints, answerMetadata } from './authorization/authorization-endpoints';
import { AuthorizationMetadata } from './authorization/metadata';
import { Settings } from './config/settings';
import { compressed } from './http/edge/compressed';
import { GatewayAdapter } from './http/edge/gateway-adapter';
import { answerOutsideApi } from './http/edge/outside-api';
import { keepAnswersPrivate } from './http/edge/private-answers';
import { requireSoundHeaders } from './http/edge/sound-headers';
import { AppLogger } from './http/logging';
import type { ChangingRequest } from './http/change';
import { apiDocument, serveApiDocument } from './http/openapi';
import { logRequests } from './http/request-log';
import { once } from './kernel/once';
import { serveOwnTools } from './own-tools/serve-own-tools';
import { serveMcp } from './proxies/mcp/serve-mcp';

/** The whole app, ready to listen. The database must have been migrated. */
export async function createApp(settings: Settings): Promise<NestExpressApplication> {
  const adapter = new GatewayAdapter({ requestMs: settings.http.requestSeconds * 1000 });
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(settings), adapter, {
    bufferLogs: true,
    abortOnError: false,
    bodyParser: false,
  });
  app.useLogger(app.get(AppLogger));
  app.disable('x-powered-by');
  // Express would hash every answer without saving any work. Answers that never change set their own tag.
  app.set('etag', false);
  app.set('trust proxy', settings.http.trustProxy);
  logRequests(app);
  app.use(
    helmet({
      // By default, the Swagger UI would load its own files by https, which a plain-http gateway does not serve.
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
      referrerPolicy: { policy: 'no-referrer' },
      strictTransportSecurity: settings.http.apiUrl.startsWith('https:'),
      // For obsolete browsers and plug-ins; each header costs something in every answer.
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
      originAgentCluster: false,
    }),
  );
  app.use(
    requireSoundHeaders,
    answerMetadata(app.get(AuthorizationMetadata)),
    answerOutsideApi(settings.http.apiPrefix),
  );
  app.use(keepAnswersPrivate(settings.http.apiPrefix), compressed());
  const document = once(() => apiDocument(app, settings.http.apiPrefix));
  serveMcp(app, settings.http.apiPrefix);
  serveOwnTools(app, settings.http.apiPrefix, document);
  // Not as middleware of a module, which would become a route for every HTTP method, tried at each request.
  const audit = app.get(AuditMiddleware);
  app.use((request: ChangingRequest, response: Response, next: NextFunction) =>
    audit.use(request, response, next),
  );
  const authorization = app.get(AuthorizationEndpoints);
  app.use(`${settings.http.apiPrefix}/oauth`, (request: Request, response: Response, next: NextFunction) =>
    authorization.handle(request, response, next),
  );
  app.setGlobalPrefix(settings.http.apiPrefix);
  serveApiDocument(app, settings.http.apiPrefix, document);
  return app;
}
