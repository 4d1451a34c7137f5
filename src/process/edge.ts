import type { NextFunction, Response } from 'express';
import { ReviewPages } from '../approvals/reviews/pages/review-pages';
import { SCIM_PATH, ScimEndpoint } from '../identity/scim/endpoint/scim-endpoint';
import { AuthorizationEndpoints, answerMetadata } from '../mcp/authorization-server/authorization-endpoints';
import { DEVICE_PAGE } from '../mcp/authorization-server/consent/device-decisions';
import { DevicePages } from '../mcp/authorization-server/consent/device-pages';
import { AuthorizationMetadata } from '../mcp/authorization-server/protocol/metadata';
import { ConnectEndpoints } from '../mcp/upstream-credentials/sign-in/connect-endpoints';
import { CONNECT_PATH } from '../mcp/upstream-credentials/sign-in/upstream-clients';
import { servePortal } from '../operations/portal/serve-portal';
import { REVIEW_PAGES } from '../platform/addresses/review-page';
import { AuditMiddleware } from '../platform/audit/audit.middleware';
import { serveDirectly } from '../platform/http/direct/serve-directly';
import { keepWordsApart } from '../platform/http/edge/allowed-methods';
import { apiCrossOrigin } from '../platform/http/edge/api-cross-origin';
import { compressed } from '../platform/http/edge/compressed';
import { answerOutsideApi } from '../platform/http/edge/outside-api';
import { keepAnswersPrivate } from '../platform/http/edge/private-answers';
import { requireSoundHeaders } from '../platform/http/edge/sound-headers';
import { logRequests } from '../platform/http/logs/request-log';
import { ReadyAnswers } from '../platform/http/ready/ready-answers';
import { serveReady } from '../platform/http/ready/serve-ready';
import type { ChangingRequest } from '../platform/http/routes/change';
import { passToWorkers } from '../proxies/kit/pass-to-workers';
import { WorkerLinks } from '../proxies/kit/worker-links';
import { crossOrigin } from '../proxies/mcp/http/cross-origin';
import { SessionController } from '../sessions/reading/session/session.controller';
import {
  type Edge,
  handleBelow,
  identify,
  markLogLines,
  measure,
  serveMcp,
  servePages,
  traceAndLog,
} from './edge-steps';

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
    name: 'pages of the portal',
    passes: 'all but WebSockets of terminals and files',
    why: 'they are no requests of REST, and their callers are pages of the portal',
    apply: servePages,
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
