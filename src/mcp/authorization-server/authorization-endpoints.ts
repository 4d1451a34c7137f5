import { Injectable, Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { newLoginSecret, loginSecretOf, setLoginCookie } from '../../identity/auth/sign-in/login-cookie';
import { Settings } from '../../platform/config/settings';
import { EdgeFault } from '../../platform/http/edge/edge-fault';
import { AppError } from '../../kernel/app-error';
import { MCP_SCOPE } from '../../platform/addresses/mcp-resource';
import type { Caller } from './stored/authorization-audit';
import { AuthorizeService } from './consent/authorize.service';
import { Clients } from './consent/clients';
import { ConsentService } from './consent/consent.service';
import { answerClient, answerPerson, isUnexpected, redirect } from './protocol/endpoint-faults';
import { AuthorizationMetadata } from './protocol/metadata';
import { requireOwnForm } from '../../platform/http/pages/own-form';
import { Parameters } from './protocol/parameters';
import { sendConsent } from './consent/pages';
import { redirectTo } from './protocol/redirect-uri';
import { readForm, readMetadataBody } from './protocol/request-body';
import { TokenRequests } from './token-requests';

interface Endpoint {
  readonly methods: Readonly<Record<string, (request: Request, response: Response) => Promise<void>>>;
  /** The reader of the endpoint's errors: a person gets a page, a client gets an OAuth error. */
  readonly caller: 'person' | 'client';
}

/**
 * The endpoints of the authorization server, below `{API_PREFIX}/oauth`. They are not routes of the API:
 * requests, responses and errors follow OAuth, or are pages for people.
 */
@Injectable()
export class AuthorizationEndpoints {
  private readonly log = new Logger(AuthorizationEndpoints.name);
  /** Limits requests, counted by endpoint and network address. */
  private readonly limiter: RateLimiterMemory;
  private readonly endpoints: ReadonlyMap<string, Endpoint> = new Map([
    ['/authorize', { caller: 'person', methods: { GET: this.authorize.bind(this) } }],
    ['/consent', { caller: 'person', methods: { GET: this.ask.bind(this), POST: this.decide.bind(this) } }],
    ['/token', { caller: 'client', methods: { POST: this.token.bind(this) } }],
    ['/device_authorization', { caller: 'client', methods: { POST: this.device.bind(this) } }],
    ['/revoke', { caller: 'client', methods: { POST: this.revoke.bind(this) } }],
    ['/register', { caller: 'client', methods: { POST: this.register.bind(this) } }],
  ]);

  constructor(
    private readonly authorizing: AuthorizeService,
    private readonly consents: ConsentService,
    private readonly tokens: TokenRequests,
    private readonly clients: Clients,
    private readonly settings: Settings,
  ) {
    this.limiter = new RateLimiterMemory({ points: settings.signIn.loginsPerMinute, duration: 60 });
  }

  /** Express middleware, mounted on the path of this server. */
  async handle(request: Request, response: Response, next: NextFunction): Promise<void> {
    const endpoint =
      this.settings.mcp.authorization === 'gateway' ? this.endpoints.get(request.path) : undefined;
    if (endpoint === undefined) return next();
    try {
      const handler = Object.hasOwn(endpoint.methods, request.method)
        ? endpoint.methods[request.method]
        : undefined;
      if (handler === undefined) {
        response.set('Allow', Object.keys(endpoint.methods).join(', '));
        throw new EdgeFault(405, `this endpoint does not support ${request.method}`);
      }
      await this.limit(request);
      await handler(request, response);
    } catch (error) {
      if (isUnexpected(error)) this.log.error({ err: error }, 'A request of OAuth failed');
      if (response.headersSent) response.destroy();
      else if (endpoint.caller === 'client') answerClient(response, error);
      else answerPerson(response, error, this.settings.http.apiUrl);
    }
  }

  private async authorize(request: Request, response: Response): Promise<void> {
    const query = new Parameters(request.originalUrl.split('?').slice(1).join('?'));
    const browser = newLoginSecret(request, this.settings.http);
    const location = await this.authorizing.begin(query, browser);
    setLoginCookie(response, this.settings.http, browser);
    redirect(response, location);
  }

  private async ask(request: Request, response: Response): Promise<void> {
    const query = new Parameters(request.originalUrl.split('?').slice(1).join('?'));
    sendConsent(response, await this.consents.show(query.find('request'), this.browserOf(request)));
  }

  private async decide(request: Request, response: Response): Promise<void> {
    requireOwnForm(request, this.settings.http.apiUrl);
    const form = await readForm(request, response);
    const { request: allowed, code } = await this.consents.decide(
      form,
      this.browserOf(request),
      callerOf(request, response),
    );
    const parameters = { code, state: allowed.clientState, iss: this.settings.http.apiUrl };
    redirect(response, redirectTo(allowed.redirectUri, parameters));
  }

  private async token(request: Request, response: Response): Promise<void> {
    const form = await readForm(request, response);
    send(response, 200, await this.tokens.answer(form, callerOf(request, response)));
  }

  private async device(request: Request, response: Response): Promise<void> {
    const form = await readForm(request, response);
    const userAgent = request.headers['user-agent'] ?? '';
    send(response, 200, await this.tokens.beginDevice(form, callerOf(request, response), userAgent));
  }

  private async revoke(request: Request, response: Response): Promise<void> {
    await this.tokens.revoke(await readForm(request, response), callerOf(request, response));
    send(response, 200, {});
  }

  private async register(request: Request, response: Response): Promise<void> {
    send(response, 201, await this.clients.register(await readMetadataBody(request, response), MCP_SCOPE));
  }

  private browserOf(request: Request): string | undefined {
    return loginSecretOf(request, this.settings.http);
  }

  private async limit(request: Request): Promise<void> {
    try {
      await this.limiter.consume(`${request.path} ${request.ip ?? ''}`);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const seconds = Math.ceil(refused.msBeforeNext / 1000);
      throw new AppError(
        'too_many_requests',
        `There are too many requests. Try again in ${seconds} seconds.`,
        {
          retryAfterSeconds: seconds,
        },
      );
    }
  }
}

function callerOf(request: Request, response: Response): Caller {
  return { address: request.ip ?? '', requestId: String(response.getHeader('x-request-id') ?? '') };
}

function send(response: Response, status: number, body: object): void {
  response.status(status).set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' }).json(body);
}

/**
 * Returns Express middleware that serves the documents below `/.well-known/`. It must run before the
 * middleware that answers requests outside the API with 404.
 */
export function answerMetadata(metadata: AuthorizationMetadata) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const document =
      request.method === 'GET' || request.method === 'HEAD'
        ? metadata.find(request.path, request.protocol, request.host)
        : undefined;
    if (document === undefined) return next();
    // The document depends on the host name, which a trusted proxy reports in these headers.
    response.vary('X-Forwarded-Host, X-Forwarded-Proto');
    response.set('Cache-Control', 'public, max-age=300').json(document);
  };
}
