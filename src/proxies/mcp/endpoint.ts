import { isUtf8 } from 'node:buffer';
import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { HttpSettings, McpSettings } from '../../platform/config/groups';
import { passingFault } from '../../platform/database/faults/passing-fault';
import { Authenticator } from '../../gate/ports/authenticator';
import { FAULT_MESSAGE } from '../../gate/refusal';
import { ERROR_STATUSES } from '../../platform/http/edge/error-statuses';
import { MAX_ACCESS_REASON } from '../../platform/http/dto/fields';
import { AppError } from '../../kernel/app-error';
import type { MaybePromise } from '../../kernel/async/maybe-promise';
import { MCP_SCOPE, mcpResource, resourceMetadataUrl } from '../../platform/addresses/mcp-resource';
import { REASON_RULE, isReason, normalizedReason } from '../../kernel/text/names';
import { OwnOrigins } from '../../platform/addresses/own-origins';
import type { Principal } from '../../kernel/principal';
import { traceparentFor } from '../../kernel/runtime/trace-context';
import { RPC_ERRORS } from '../../targets/mcp/protocol/rpc-errors';
import { RpcFault, type RpcId, rpcError as rpcErrorMessage } from '../../targets/mcp/protocol/rpc-messages';
import { UpstreamFault, behindFault } from '../../targets/mcp/upstream';
import { HttpAnswer } from './http/answer';
import { Conversation } from './conversation';
import { HttpFault } from './http/http-fault';
import { ModernFault } from './http/modern-request';
import { isAllowedOrigin } from './http/origins';
import { OwnHosts } from './http/own-hosts';
import { GATEWAY_ERRORS, gatewayError } from './http/refusals';

/** The endpoint of a refused request. */
interface RefusedPlace {
  readonly connection: string | undefined;
  /** `API_URL` with the host name that the client uses. */
  readonly apiUrl: string;
}

const METHODS = new Set(['GET', 'POST', 'DELETE']);

/**
 * The MCP server that clients see in place of a connection's server, at
 * `{API_URL}{API_PREFIX}/mcp/{connection}`. Without a connection in the path, it serves the gateway's own
 * tools.
 */
@Injectable()
export class McpEndpoint {
  private readonly log = new Logger(McpEndpoint.name);
  private readonly ownHosts: OwnHosts;
  private readonly origins: OwnOrigins;

  constructor(
    private readonly http: HttpSettings,
    private readonly mcp: McpSettings,
    private readonly authenticator: Authenticator,
    private readonly conversation: Conversation,
  ) {
    this.ownHosts = new OwnHosts(http.apiUrl, mcp.ownHosts);
    this.origins = new OwnOrigins({ apiUrl: http.apiUrl, port: http.port, ownHosts: mcp.ownHosts });
  }

  /**
   * Answers one HTTP request. Never rejects.
   * @param connection name or id, from the path; undefined at the endpoint of the gateway's own tools
   */
  async handle(request: Request, response: Response, connection: string | undefined): Promise<void> {
    const requestId = String(response.getHeader('x-request-id'));
    const answer = new HttpAnswer(response);
    try {
      if (!METHODS.has(request.method))
        throw new HttpFault(405, 'the endpoint takes POST, and GET and DELETE of legacy sessions', {
          Allow: 'POST, GET, DELETE',
        });
      this.requireOwnHost(request);
      if (!isAllowedOrigin(request.headers.origin, this.http.apiUrl, this.mcp.allowedOrigins))
        throw new HttpFault(403, 'this origin may not call the endpoint; see MCP_ALLOWED_ORIGINS');
      const principal = await this.identify(request, connection);
      const arrival = { principal, connection: connection ?? '', requestId, ...arrivalOf(request) };
      const caller = connection === undefined ? { caller: { bearer: bearerOf(request) } } : {};
      await this.conversation.handle(request, { ...arrival, ...caller }, answer);
    } catch (error) {
      const apiUrl = this.origins.urlAt(request.protocol, request.host);
      await this.refuse(error, { connection, requestId, apiUrl }, answer);
    }
  }

  /** @throws HttpFault 403 */
  private requireOwnHost({ headers }: Request): void {
    const { host, 'x-forwarded-host': forwarded } = headers;
    const told = this.http.trustProxy > 0 ? forwarded : undefined;
    if (this.ownHosts.areOf(host, Array.isArray(told) ? told.join(',') : told)) return;
    throw new HttpFault(
      403,
      'the host of this request is not a name of the gateway; see API_URL and MCP_OWN_HOSTS',
    );
  }

  private async identify(request: Request, connection: string | undefined): Promise<Principal> {
    const { apiUrl, apiPrefix } = this.http;
    const resource = mcpResource(apiUrl, apiPrefix, connection);
    return this.authenticator.identify({ bearer: bearerOf(request), address: request.ip ?? '', resource });
  }

  private refuse(
    fault: unknown,
    { requestId, ...place }: RefusedPlace & { readonly requestId: string },
    answer: HttpAnswer,
  ): MaybePromise<void> {
    const error = behindFault(fault);
    const id = (fault as { id?: RpcId } | null)?.id;
    const req = { id: requestId };
    if (error instanceof ModernFault)
      return answer.end(
        rpcErrorMessage(error.id ?? id, gatewayError(error.code, error.message, error.data)),
        error.status,
      );
    if (error instanceof RpcFault)
      return answer.end(rpcErrorMessage(error.id ?? id, gatewayError(error.code, error.message)), 400);
    if (error instanceof UpstreamFault)
      return answer.end(rpcErrorMessage(id, gatewayError(GATEWAY_ERRORS.upstream, error.message)), 200);
    if (error instanceof HttpFault)
      return answer.end(
        rpcErrorMessage(id, gatewayError(error.status, error.message)),
        error.status,
        error.headers,
      );
    const told = error instanceof AppError ? error : passingFault(error);
    if (told !== undefined) {
      const status = ERROR_STATUSES[told.code];
      if (told.cause !== undefined) this.log.warn({ err: told.cause, req }, told.message);
      return answer.end(
        rpcErrorMessage(id, gatewayError(status, told.message)),
        status,
        this.headersOf(told, status, place),
      );
    }
    this.log.error({ err: error, req }, 'A message of an MCP client could not be answered');
    return answer.end(rpcErrorMessage(id, gatewayError(RPC_ERRORS.internalError, FAULT_MESSAGE)), 500);
  }

  /**
   * Returns the headers of an error. For 401 and 403 they name the metadata from which clients learn how to
   * get a token (RFC 9728, section 5.1; RFC 6750, section 3). A 403 has no `error`: with
   * `insufficient_scope`, clients would sign in again for a larger scope, although only a rule of the gateway
   * can give the access.
   */
  private headersOf(
    error: AppError,
    status: number,
    { connection, apiUrl }: RefusedPlace,
  ): Record<string, string> {
    const headers: Record<string, string> = {};
    if (error.retryAfterSeconds !== undefined) headers['Retry-After'] = String(error.retryAfterSeconds);
    if (status === 401 || status === 403) {
      const metadata = resourceMetadataUrl(apiUrl, this.http.apiPrefix, connection);
      // Tokens of the identity provider do not have this scope.
      const isOwn = connection !== undefined && this.mcp.authorization === 'gateway';
      const scope = isOwn ? `scope="${MCP_SCOPE}", ` : '';
      headers['WWW-Authenticate'] = `Bearer ${scope}resource_metadata="${metadata}"`;
    }
    return headers;
  }
}

/** @throws AppError `unauthenticated` */
function bearerOf({ headers }: Request): string {
  const [, bearer] = /^Bearer +([\w\-.~+/]+=*) *$/i.exec(headers.authorization ?? '') ?? [];
  if (bearer === undefined)
    throw new AppError('unauthenticated', 'sign in first: the request has no bearer token');
  return bearer;
}

/** @throws AppError `malformed` */
function arrivalOf({ headers, ip }: Request) {
  return {
    address: ip ?? '',
    reason: reasonOf(headers['access-reason']),
    traceparent: traceparentFor(headers),
  };
}

/**
 * Returns the reason for the access from a static header of the client, because MCP has no field for it.
 * Node.js reads headers as Latin-1, but clients send UTF-8.
 * @throws AppError `malformed`
 */
function reasonOf(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string') return null;
  const bytes = Buffer.from(header, 'latin1');
  const reason = normalizedReason(isUtf8(bytes) ? bytes.toString() : header).slice(0, MAX_ACCESS_REASON);
  if (!isReason(reason)) throw new AppError('malformed', `the header Access-Reason must ${REASON_RULE}`);
  return reason === '' ? null : reason;
}
