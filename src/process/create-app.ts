import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { AppModule } from './app.module';
import { AuditMiddleware } from '../platform/audit/audit.middleware';
import { AuthorizationEndpoints, answerMetadata } from '../mcp/authorization-server/authorization-endpoints';
import { DEVICE_PAGE } from '../mcp/authorization-server/consent/device-decisions';
import { DevicePages } from '../mcp/authorization-server/consent/device-pages';
import { AuthorizationMetadata } from '../mcp/authorization-server/protocol/metadata';
import { CredentialStrategy } from '../identity/auth/credential.strategy';
import { Settings } from '../platform/config/settings';
import { keepWordsApart } from '../platform/http/edge/allowed-methods';
import { apiCrossOrigin } from '../platform/http/edge/api-cross-origin';
import { compressed } from '../platform/http/edge/compressed';
import { GatewayAdapter } from '../platform/http/edge/gateway-adapter';
import { serveOtherProtocol } from '../platform/http/edge/other-protocols';
import { answerOutsideApi } from '../platform/http/edge/outside-api';
import { keepAnswersPrivate } from '../platform/http/edge/private-answers';
import { SecurityHeaders } from '../platform/http/edge/security-headers';
import { requireSoundHeaders } from '../platform/http/edge/sound-headers';
import type { ChangingRequest } from '../platform/http/routes/change';
import { apiDocument, serveApiDocument } from '../platform/http/openapi';
import { serveDirectly } from '../platform/http/direct/serve-directly';
import { ReadyAnswers } from '../platform/http/ready/ready-answers';
import { serveReady } from '../platform/http/ready/serve-ready';
import { forgetRequests, logRequests, markLines } from '../platform/http/logs/request-log';
import { AppLogger, logLines } from '../platform/http/logs/logging';
import { countRefusals, measureRequests } from '../platform/http/logs/request-metrics';
import { traceRequests } from '../platform/http/logs/request-spans';
import { once } from '../kernel/async/once';
import type { Principal } from '../kernel/principal';
import { REVIEW_PAGES } from '../platform/addresses/review-page';
import { Meter } from '../platform/metrics/meter';
import { ownToolsEndpoint } from '../proxies/own-tools/own-tools-endpoint';
import { servePortal } from '../operations/portal/serve-portal';
import { passToWorkers } from '../proxies/kit/pass-to-workers';
import { WorkerLinks } from '../proxies/kit/worker-links';
import { crossOrigin } from '../proxies/mcp/http/cross-origin';
import { McpEndpoint } from '../proxies/mcp/endpoint';
import { Telemetry } from '../platform/telemetry/telemetry';
import { ServerCertificate } from '../platform/tls/server-certificate';
import { ConnectEndpoints } from '../mcp/upstream-credentials/sign-in/connect-endpoints';
import { CONNECT_PATH } from '../mcp/upstream-credentials/sign-in/upstream-clients';
import { SCIM_PATH, ScimEndpoint } from '../identity/scim/endpoint/scim-endpoint';
import { ReviewPages } from '../approvals/reviews/pages/review-pages';
import { SessionController } from '../sessions/reading/session/session.controller';

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
  // Express would hash every answer without saving any work. Answers that never change set their own tag.
  app.set('etag', false);
  app.set('trust proxy', settings.http.trustProxy);
  const security = new SecurityHeaders(
    settings.http.apiUrl.startsWith('https:'),
    `${settings.http.apiPrefix}/docs`,
  );
  const document = once(() => apiDocument(app, settings.http.apiPrefix));
  // Before all else: the worker to which a request is passed logs it, checks it, and sets the headers of its answer.
  app.use(passToWorkers(app.get(WorkerLinks), `${settings.http.apiPrefix}/mcp`));
  await traceAndLog(app, settings.http.apiPrefix);
  const meter = app.get(Meter);
  if (meter.isOn) {
    app.use(measureRequests(meter, settings.http.apiPrefix));
    adapter.onRefused = countRefusals(meter);
  }
  app.enableCors(crossOrigin(settings.http, settings.mcp, apiCrossOrigin(settings.http)));
  serveMcp(app, settings.http.apiPrefix, security, document);
  logRequests(app);
  const callers = app.get(CredentialStrategy);
  const identify = (request: Request): Promise<Principal> => callers.validate(request);
  app.use(serveReady(app.get(ReadyAnswers), identify));
  app.use(security.use);
  if (settings.portal.isOn) app.use(servePortal(settings.http));
  app.use(
    requireSoundHeaders,
    answerMetadata(app.get(AuthorizationMetadata)),
    answerOutsideApi(settings.http.apiPrefix),
  );
  app.use(keepAnswersPrivate(settings.http.apiPrefix), compressed());
  app.use(serveDirectly(settings.http.apiPrefix, identify, app.get(SessionController).direct));
  // Where nothing is logged, nothing is marked, which costs every promise of the process (before Node.js 24).
  if (settings.process.logLevel !== 'silent') {
    app.use(markLines);
    adapter.onClosed = forgetRequests;
  }
  // Not as middleware of a module, which would become a route for every HTTP method, tried at each request.
  const audit = app.get(AuditMiddleware);
  app.use((request: ChangingRequest, response: Response, next: NextFunction) =>
    audit.use(request, response, next),
  );
  app.use(keepWordsApart());
  const authorization = app.get(AuthorizationEndpoints);
  app.use(`${settings.http.apiPrefix}/oauth`, (request: Request, response: Response, next: NextFunction) =>
    authorization.handle(request, response, next),
  );
  const scim = app.get(ScimEndpoint);
  app.use(`${settings.http.apiPrefix}${SCIM_PATH}`, (request: ChangingRequest, response: Response) =>
    scim.handle(request, response),
  );
  const connecting = app.get(ConnectEndpoints);
  app.use(
    `${settings.http.apiPrefix}${CONNECT_PATH}`,
    (request: Request, response: Response, next: NextFunction) => connecting.handle(request, response, next),
  );
  const devices = app.get(DevicePages);
  app.use(
    `${settings.http.apiPrefix}${DEVICE_PAGE}`,
    (request: Request, response: Response, next: NextFunction) => devices.handle(request, response, next),
  );
  const pages = app.get(ReviewPages);
  app.use(
    `${settings.http.apiPrefix}${REVIEW_PAGES}`,
    (request: ChangingRequest, response: Response, next: NextFunction) =>
      pages.handle(request, response, next),
  );
  app.setGlobalPrefix(settings.http.apiPrefix);
  serveApiDocument(app, settings.http.apiPrefix, document);
  return app;
}

/** By default it does nothing. */
async function traceAndLog(app: NestExpressApplication, prefix: string): Promise<void> {
  const telemetry = app.get(Telemetry);
  const takeLine = await telemetry.startLog();
  if (takeLine !== undefined) logLines().onLine = takeLine;
  const tracing = await telemetry.startTraces();
  if (tracing !== undefined) app.use(traceRequests(tracing, prefix));
}

/** MCP endpoints are no routes of Nest: their messages are JSON-RPC, and their answers may be streams. */
function serveMcp(
  app: NestExpressApplication,
  prefix: string,
  security: SecurityHeaders,
  document: () => OpenAPIObject,
): void {
  const connections = app.get(McpEndpoint);
  const ownTools = ownToolsEndpoint(app, document);
  app.use(
    serveOtherProtocol(
      new RegExp(`^${prefix}/mcp(?:/([^/]+))?/?$`, 'i'),
      security,
      (connection) => (request, response) =>
        (connection === undefined ? ownTools : connections).handle(request, response, connection),
    ),
  );
}
