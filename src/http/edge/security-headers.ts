import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';

/** The security headers of every answer. They are the same in all, so helmet makes them once. */
export class SecurityHeaders {
  private readonly headers: readonly (readonly [string, string])[];

  /** @param isTls whether clients reach the gateway by https */
  constructor(isTls: boolean) {
    const make = helmet({
      // By default, the Swagger UI would load its own files by https, which a plain-http gateway does not serve.
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
      referrerPolicy: { policy: 'no-referrer' },
      strictTransportSecurity: isTls,
      // For obsolete browsers and plug-ins; each header costs something in every answer.
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
  readonly use = (_request: Request, response: Response, next: NextFunction): void => {
    this.set(response);
    next();
  };
}
