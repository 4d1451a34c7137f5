import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';

/** Policy for answers that are not pages. If a browser shows one as a page, it loads and runs nothing. */
const NOTHING = {
  'default-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/** Policy for the Swagger UI, which writes its styles into the page and calls the API. */
const SWAGGER_UI =
  "default-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'; img-src 'self' data:; object-src 'none'; script-src 'self'; script-src-attr 'none'; style-src 'self' 'unsafe-inline'";

const POLICY = 'Content-Security-Policy';

/**
 * The security headers of every answer. Helmet computes them only once, because they are the same for all
 * answers. Pages of the gateway set a policy of their own.
 */
export class SecurityHeaders {
  private readonly docs: string;
  private readonly headers: readonly (readonly [string, string])[];

  /**
   * @param isTls whether clients reach the gateway by https
   * @param docs path of the Swagger UI
   */
  constructor(isTls: boolean, docs: string) {
    this.docs = docs.toLowerCase();
    const make = helmet({
      contentSecurityPolicy: { useDefaults: false, directives: NOTHING },
      xFrameOptions: { action: 'deny' },
      referrerPolicy: { policy: 'no-referrer' },
      strictTransportSecurity: isTls,
      // Off, because only obsolete browsers and plug-ins use them, and each header adds cost to every answer.
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
      originAgentCluster: false,
    });
    const request = new IncomingMessage(new Socket());
    const response = new ServerResponse(request);
    make(request, response, (fault?: unknown) => {
      if (fault !== undefined) throw fault;
    });
    this.headers = response.getHeaderNames().map((name) => [name, String(response.getHeader(name))] as const);
    if (this.headers.length === 0) throw new Error('helmet made no headers at once');
  }

  set(response: ServerResponse): void {
    for (const [name, value] of this.headers) response.setHeader(name, value);
  }

  /** Express middleware. */
  readonly use = (request: Request, response: Response, next: NextFunction): void => {
    const path = request.path.toLowerCase();
    this.set(response);
    if (path === this.docs || path.startsWith(`${this.docs}/`)) response.setHeader(POLICY, SWAGGER_UI);
    next();
  };
}
