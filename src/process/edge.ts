import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { ReviewPages } from '../approvals/reviews/pages/review-pages';
import { CredentialStrategy } from '../identity/auth/credential.strategy';
import { SCIM_PATH, ScimEndpoint } from '../identity/scim/endpoint/scim-endpoint';
import type { Principal } from '../kernel/principal';
import { AuthorizationEndpoints, answerMetadata } from '../mcp/authorization-server/authorization-endpoints';
import { DEVICE_PAGE } from '../mcp/authorization-server/consent/device-decisions';
import { DevicePages } from '../mcp/authorization-server/consent/device-pages';
import { AuthorizationMetadata } from '../mcp/authorization-server/protocol/metadata';
import { ConnectEndpoints } from '../mcp/upstream-credentials/sign-in/connect-endpoints';
import { CONNECT_PATH } from '../mcp/upstream-credentials/sign-in/upstream-clients';
import { servePortal } from '../operations/portal/serve-portal';
import { REVIEW_PAGES } from '../platform/addresses/review-page';
import { AuditMiddleware } from '../platform/audit/audit.middleware';
import type { Settings } from '../platform/config/settings';
import { serveDirectly } from '../platform/http/direct/serve-directly';
import { keepWordsApart } from '../platform/http/edge/allowed-methods';
import { apiCrossOrigin } from '../platform/http/edge/api-cross-origin';
import { compressed } from '../platform/http/edge/compressed';
import type { GatewayAdapter } from '../platform/http/edge/gateway-adapter';
import { serveOtherProtocol } from '../platform/http/edge/other-protocols';
import { answerOutsideApi } from '../platform/http/edge/outside-api';
import { keepAnswersPrivate } from '../platform/http/edge/private-answers';
import type { SecurityHeaders } from '../platform/http/edge/security-headers';
import { requireSoundHeaders } from '../platform/http/edge/sound-headers';
import { logLines } from '../platform/http/logs/logging';
import { forgetRequests, logRequests, markLines } from '../platform/http/logs/request-log';
import { countRefusals, measureRequests } from '../platform/http/logs/request-metrics';
import { traceRequests } from '../platform/http/logs/request-spans';
import { ReadyAnswers } from '../platform/http/ready/ready-answers';
import { serveReady } from '../platform/http/ready/serve-ready';
import type { ChangingRequest } from '../platform/http/routes/change';
import { Meter } from '../platform/metrics/meter';
import { Telemetry } from '../platform/telemetry/telemetry';
import { passToWorkers } from '../proxies/kit/pass-to-workers';
import { WorkerLinks } from '../proxies/kit/worker-links';
import { McpEndpoint } from '../proxies/mcp/endpoint';
import { crossOrigin } from '../proxies/mcp/http/cross-origin';
import { ownToolsEndpoint } from '../proxies/own-tools/own-tools-endpoint';
import { SessionController } from '../sessions/reading/session/session.controller';

/** Objects that every step of `EDGE` gets. */
export interface Edge {
  readonly app: NestExpressApplication;
  readonly adapter: GatewayAdapter;
  readonly settings: Settings;
  readonly security: SecurityHeaders;
  /** The API description. */
  readonly document: () => OpenAPIObject;
}

/** One step that a request passes before the routes of NestJS. */
export interface EdgeStep {
  readonly name: string;
  /** Description of the requests that continue to the next step. */
  readonly passes: string;
  /** Reason for the position of the step. */
  readonly why: string;
  /** Adds the step to the app; does nothing if the feature of the step is off. */
  apply(edge: Edge): void | Promise<void>;
}

/**
 * The steps before the routes of NestJS, in the order in which all requests pass them. `npm run generate`
 * writes the table of README.md from this list.
 */
export const EDGE: readonly EdgeStep[] = [
  {
    name: 'worker processes',
    passes: 'all but messages of MCP sessions that another worker has',
    why: 'that worker logs the request, checks it and answers it, so nothing may be done to it here',
    apply: ({ app, settings }) =>
      void app.use(passToWorkers(app.get(WorkerLinks), `${settings.http.apiPrefix}/mcp`)),
  },
  {
    name: 'traces',
    passes: 'all',
    why: 'a span has all that follows',
    apply: traceAndLog,
  },
  {
    name: 'metrics',
    passes: 'all',
    why: 'what is refused below counts as well',
    apply: measure,
  },
  {
    name: 'cross-origin requests',
    passes: 'all but preflights, which it answers',
    why: 'a page of another origin has to be able to read the refusals below',
    apply: ({ app, settings }) =>
      app.enableCors(crossOrigin(settings.http, settings.mcp, apiCrossOrigin(settings.http))),
  },
  {
    name: 'MCP endpoints',
    passes: 'all but `/mcp` and `/mcp/{connection}`',
    why: 'messages are JSON-RPC and answers may be streams: nothing of REST applies',
    apply: serveMcp,
  },
  {
    name: 'the log',
    passes: 'all',
    why: 'MCP endpoints log by message; all others by request',
    apply: ({ app, settings }) => logRequests(app, settings.http.apiPrefix),
  },
  {
    name: 'ready answers',
    passes: 'all but small GETs whose answer is in memory, for an identified caller',
    why: 'what is answered here needs none of the steps below; the answer has the headers that they would set',
    apply: ({ app }) => void app.use(serveReady(app.get(ReadyAnswers), identify(app))),
  },
  {
    name: 'security headers',
    passes: 'all',
    why: 'every answer from here on has them',
    apply: ({ app, security }) => void app.use(security.use),
  },
  {
    name: 'the portal',
    passes: 'all but its files',
    why: 'files are public, and need no caller',
    apply: ({ app, settings }) => {
      if (settings.portal.isOn) app.use(servePortal(settings.http));
    },
  },
  {
    name: 'sound headers',
    passes: 'requests with one `Host` and at most 200 headers',
    why: 'what follows trusts them',
    apply: ({ app }) => void app.use(requireSoundHeaders),
  },
  {
    name: 'metadata of the authorization server',
    passes: 'all but its well-known paths',
    why: 'they are outside the prefix of the API',
    apply: ({ app }) => void app.use(answerMetadata(app.get(AuthorizationMetadata))),
  },
  {
    name: 'paths outside the API',
    passes: 'paths below the prefix',
    why: 'nothing else is served: 404, and `/` leads to the documentation',
    apply: ({ app, settings }) => void app.use(answerOutsideApi(settings.http.apiPrefix)),
  },
  {
    name: 'private and compressed answers',
    passes: 'all',
    why: 'no cache may keep what is for one caller',
    apply: ({ app, settings }) => void app.use(keepAnswersPrivate(settings.http.apiPrefix), compressed()),
  },
  {
    name: 'direct answers',
    passes: 'all but reads of one session',
    why: 'they are streamed without the interceptors of NestJS',
    apply: ({ app, settings }) =>
      void app.use(serveDirectly(settings.http.apiPrefix, identify(app), app.get(SessionController).direct)),
  },
  {
    name: 'marks of log lines',
    passes: 'all',
    why: 'lines that a route logs name its request; what was answered above logs none',
    apply: markLogLines,
  },
  {
    name: 'the audit log',
    passes: 'all',
    why: 'each change has its line, whatever refuses it below',
    apply: ({ app }) => {
      const audit = app.get(AuditMiddleware);
      app.use((request: ChangingRequest, response: Response, next: NextFunction) =>
        audit.use(request, response, next),
      );
    },
  },
  {
    name: 'words and ids',
    passes: 'all',
    why: 'routes such as `/reviews/stream` are not those of a review of that name',
    apply: ({ app }) => void app.use(keepWordsApart()),
  },
  {
    name: 'the authorization server',
    passes: 'all but `/oauth`',
    why: 'its errors have the form of OAuth, and its callers no token',
    apply: (edge) => handleBelow(edge, '/oauth', edge.app.get(AuthorizationEndpoints)),
  },
  {
    name: 'SCIM',
    passes: 'all but `/scim/v2`',
    why: 'its errors have the form of SCIM, and its callers a token of its own',
    apply: (edge) => handleBelow(edge, SCIM_PATH, edge.app.get(ScimEndpoint)),
  },
  {
    name: 'accounts at MCP servers',
    passes: 'all but its pages',
    why: 'pages answer in HTML',
    apply: (edge) => handleBelow(edge, CONNECT_PATH, edge.app.get(ConnectEndpoints)),
  },
  {
    name: 'sign-in with a code',
    passes: 'all but its page',
    why: 'pages answer in HTML',
    apply: (edge) => handleBelow(edge, DEVICE_PAGE, edge.app.get(DevicePages)),
  },
  {
    name: 'pages of reviews',
    passes: 'all but its pages, on to the routes',
    why: 'pages answer in HTML',
    apply: (edge) => handleBelow(edge, REVIEW_PAGES, edge.app.get(ReviewPages)),
  },
];

function identify(app: NestExpressApplication): (request: Request) => Promise<Principal> {
  const callers = app.get(CredentialStrategy);
  return (request) => callers.validate(request);
}

/** Handler that answers all requests below a path. */
interface Endpoint {
  handle(request: ChangingRequest, response: Response, next: NextFunction): unknown;
}

function handleBelow({ app, settings }: Edge, path: string, endpoint: Endpoint): void {
  app.use(
    `${settings.http.apiPrefix}${path}`,
    (request: ChangingRequest, response: Response, next: NextFunction) =>
      endpoint.handle(request, response, next),
  );
}

/** Starts the export of log lines and traces. Both are off by default. */
async function traceAndLog({ app, settings }: Edge): Promise<void> {
  const telemetry = app.get(Telemetry);
  const takeLine = await telemetry.startLog();
  if (takeLine !== undefined) logLines().onLine = takeLine;
  const tracing = await telemetry.startTraces();
  if (tracing !== undefined) app.use(traceRequests(tracing, settings.http.apiPrefix));
}

function measure({ app, adapter, settings }: Edge): void {
  const meter = app.get(Meter);
  if (!meter.isOn) return;
  app.use(measureRequests(meter, settings.http.apiPrefix));
  adapter.onRefused = countRefusals(meter);
}

/**
 * Registers `markLines`, which before Node.js 24 adds a cost to every promise of the process. Does nothing if
 * logging is off.
 */
function markLogLines({ app, adapter, settings }: Edge): void {
  if (settings.process.logLevel === 'silent') return;
  app.use(markLines);
  adapter.onClosed = forgetRequests;
}

function serveMcp({ app, settings, security, document }: Edge): void {
  const connections = app.get(McpEndpoint);
  const ownTools = ownToolsEndpoint(app, document);
  app.use(
    serveOtherProtocol(
      new RegExp(`^${settings.http.apiPrefix}/mcp(?:/([^/]+))?/?$`, 'i'),
      security,
      (connection) => (request, response) =>
        (connection === undefined ? ownTools : connections).handle(request, response, connection),
    ),
  );
}
