import { Injectable, Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { validate as isUuid } from 'uuid';
import { newLoginSecret, loginSecretOf, setLoginCookie } from '../../../identity/auth/sign-in/login-cookie';
import { Settings } from '../../../platform/config/settings';
import { EdgeFault } from '../../../platform/http/edge/edge-fault';
import { answerPageFault } from '../../../platform/http/pages/fault-page';
import { sendMessage } from '../../../platform/http/pages/page';
import { PageFault } from '../../../platform/http/pages/page-fault';
import { readText } from '../../../platform/http/pages/read-text';
import { sendConnect } from './connect-pages';
import { SignInCompletion } from './sign-in-completion';
import { SignIns } from './sign-ins.service';
import { ISSUER_KEY, UpstreamClients } from './upstream-clients';

const MAX_QUERY = 8_192;
const FORM = 'application/x-www-form-urlencoded';
const MAX_FORM = 4_096;

/**
 * Serves the paths below `{API_PREFIX}/mcp-connect`: sign-in addresses of people, the callback of
 * authorization servers, and the gateway's client metadata document. They are not routes of the API: the
 * responses are mostly pages for people.
 */
@Injectable()
export class ConnectEndpoints {
  private readonly log = new Logger(ConnectEndpoints.name);
  private readonly limiter: RateLimiterMemory;

  constructor(
    private readonly signIns: SignIns,
    private readonly completion: SignInCompletion,
    private readonly clients: UpstreamClients,
    private readonly settings: Settings,
  ) {
    this.limiter = new RateLimiterMemory({ points: settings.signIn.loginsPerMinute, duration: 60 });
  }

  /** Express middleware, mounted on the path of these pages. */
  async handle(request: Request, response: Response, next: NextFunction): Promise<void> {
    const [, place = '', key = '', ...more] = request.path.split('/');
    const answer = more.length > 0 ? undefined : this.pageAt(place, key);
    if (answer === undefined) return next();
    try {
      await this.limit(request, response);
      await answer(request, response);
    } catch (error) {
      answerPageFault(response, error, this.log);
    }
  }

  private pageAt(
    place: string,
    key: string,
  ): ((request: Request, response: Response) => Promise<void>) | undefined {
    if (place === 'client' && ISSUER_KEY.test(key))
      return async (request, response) => {
        requireMethod(request, response, ['GET']);
        response.set('Cache-Control', 'public, max-age=300').json(this.clients.document(key));
      };
    if (place === 'callback' && ISSUER_KEY.test(key))
      return async (request, response) => {
        requireMethod(request, response, ['GET']);
        await this.comeBack(key, request, response);
      };
    if (key !== '' || !isUuid(place)) return undefined;
    return async (request, response) => {
      requireMethod(request, response, ['GET', 'POST']);
      await (request.method === 'GET'
        ? this.open(place, request, response)
        : this.decide(place, request, response));
    };
  }

  private async open(id: string, request: Request, response: Response): Promise<void> {
    const query = new URLSearchParams(queryOf(request));
    if (query.has('error'))
      throw new PageFault(
        'You are not signed in',
        'The sign-in was cancelled or failed. Nothing was connected.',
        403,
      );
    const browser = this.browserOf(request);
    const visit = query.get('visit');
    if (visit !== null && browser !== undefined && isUuid(visit))
      return sendConnect(response, await this.signIns.show(id, visit, browser));
    // Stops here, because otherwise a browser without cookies would be sent to the sign-in again and again.
    if (visit !== null)
      throw new PageFault('Please start again', 'This sign-in was started in another browser.');
    const secret = newLoginSecret(request, this.settings.http);
    const location = await this.signIns.identify(id, secret);
    setLoginCookie(response, this.settings.http, secret);
    redirect(response, location);
  }

  private async decide(id: string, request: Request, response: Response): Promise<void> {
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin')
      throw new PageFault('Please start again', 'The form was sent by another site.', 403);
    const form = new URLSearchParams(await readText(request, response, FORM, MAX_FORM));
    const browser = this.browserOf(request);
    const visit = form.get('visit') ?? '';
    if (browser === undefined || !isUuid(visit))
      throw new PageFault('Please start again', 'This sign-in was started in another browser.');
    if (form.get('decision') !== 'connect')
      return sendMessage(response, 200, 'Nothing was connected', 'You can close this page.');
    const location = await this.signIns.confirm(id, visit, form.get('proof') ?? '', browser);
    // The cookie must be valid as long as the OAuth `state`: ten minutes from now.
    setLoginCookie(response, this.settings.http, browser);
    redirect(response, location);
  }

  private async comeBack(key: string, request: Request, response: Response): Promise<void> {
    const browser = this.browserOf(request);
    if (browser === undefined)
      throw new PageFault('Please start again', 'This sign-in was started in another browser.');
    const caller = { address: request.ip ?? '', requestId: String(response.getHeader('x-request-id') ?? '') };
    const connection = await this.completion.complete(key, queryOf(request), browser, caller);
    sendMessage(
      response,
      200,
      `Connected to ${connection}`,
      'You can close this page and go back to your application. If it does not go on by itself, repeat there what you asked for.',
    );
  }

  private browserOf(request: Request): string | undefined {
    return loginSecretOf(request, this.settings.http);
  }

  private async limit(request: Request, response: Response): Promise<void> {
    try {
      await this.limiter.consume(request.ip ?? '');
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      response.set('Retry-After', String(Math.ceil(refused.msBeforeNext / 1000)));
      throw new PageFault('Too many requests', 'There are too many requests. Try again in a minute.', 429);
    }
  }
}

function queryOf({ originalUrl }: Request): string {
  const query = originalUrl.split('?').slice(1).join('?');
  if (query.length > MAX_QUERY || query.includes('%00'))
    throw new EdgeFault(400, 'the query is too long, or contains NUL');
  return query;
}

function requireMethod({ method }: Request, response: Response, methods: readonly string[]): void {
  if (methods.includes(method)) return;
  response.set('Allow', methods.join(', '));
  throw new EdgeFault(405, `this page does not support ${method}`);
}

/** Redirects without Express's `redirect`, whose response body would repeat the URL. */
function redirect(response: Response, url: string): void {
  response.status(303).set('Cache-Control', 'no-store').location(url).end();
}
