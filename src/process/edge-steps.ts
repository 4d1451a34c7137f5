import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { CredentialStrategy } from '../identity/auth/credential.strategy';
import type { Principal } from '../kernel/principal';
import type { Settings } from '../platform/config/settings';
import type { GatewayAdapter } from '../platform/http/edge/gateway-adapter';
import { serveOtherProtocol } from '../platform/http/edge/other-protocols';
import type { SecurityHeaders } from '../platform/http/edge/security-headers';
import { logLines } from '../platform/http/logs/logging';
import { forgetRequests, markLines } from '../platform/http/logs/request-log';
import { countRefusals, measureRequests } from '../platform/http/logs/request-metrics';
import { traceRequests } from '../platform/http/logs/request-spans';
import type { ChangingRequest } from '../platform/http/routes/change';
import { Meter } from '../platform/metrics/meter';
import { Telemetry } from '../platform/telemetry/telemetry';
import { McpEndpoint } from '../proxies/mcp/endpoint';
import { ownToolsEndpoint } from '../proxies/own-tools/own-tools-endpoint';
import { PAGE_PATHS, PageEndpoint } from '../proxies/ssh/page-endpoint';

/** Objects that every step of `EDGE` gets. */
export interface Edge {
  readonly app: NestExpressApplication;
  readonly adapter: GatewayAdapter;
  readonly settings: Settings;
  readonly security: SecurityHeaders;
  /** The API description. */
  readonly document: () => OpenAPIObject;
}

export function identify(app: NestExpressApplication): (request: Request) => Promise<Principal> {
  const callers = app.get(CredentialStrategy);
  return (request) => callers.validate(request);
}

/** Handler that answers all requests below a path. */
interface Endpoint {
  handle(request: ChangingRequest, response: Response, next: NextFunction): unknown;
}

export function handleBelow({ app, settings }: Edge, path: string, endpoint: Endpoint): void {
  app.use(
    `${settings.http.apiPrefix}${path}`,
    (request: ChangingRequest, response: Response, next: NextFunction) =>
      endpoint.handle(request, response, next),
  );
}

/** Starts the export of log lines and traces. Both are off by default. */
export async function traceAndLog({ app, settings }: Edge): Promise<void> {
  const telemetry = app.get(Telemetry);
  const takeLine = await telemetry.startLog();
  if (takeLine !== undefined) logLines().onLine = takeLine;
  const tracing = await telemetry.startTraces();
  if (tracing !== undefined) app.use(traceRequests(tracing, settings.http.apiPrefix));
}

export function measure({ app, adapter, settings }: Edge): void {
  const meter = app.get(Meter);
  if (!meter.isOn) return;
  app.use(measureRequests(meter, settings.http.apiPrefix));
  adapter.onRefused = countRefusals(meter);
}

/**
 * Registers `markLines`, which before Node.js 24 adds a cost to every promise of the process. Does nothing if
 * logging is off.
 */
export function markLogLines({ app, adapter, settings }: Edge): void {
  if (settings.process.logLevel === 'silent') return;
  app.use(markLines);
  adapter.onClosed = forgetRequests;
}

export function serveMcp({ app, settings, security, document }: Edge): void {
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

/** Serves the WebSockets of pages of the portal. */
export function servePages(edge: Edge): void {
  const { adapter, app, settings } = edge;
  if (!settings.portal.isOn) return;
  const below = [...PAGE_PATHS.keys()].map((path) => `${settings.http.apiPrefix}${path}/`);
  adapter.mayUpgrade = ({ url = '' }) => below.some((path) => url.startsWith(path));
  const pages = app.get(PageEndpoint);
  for (const [path, purpose] of PAGE_PATHS)
    handleBelow(edge, path, {
      handle: (request, response, next) => pages.handle(purpose, request, response, next),
    });
}
