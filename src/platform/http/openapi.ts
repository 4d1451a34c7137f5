import { createHash } from 'node:crypto';
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { API_VERSION } from '../config/api-version';
import { refuseBody } from './body/read-body';
import { once } from '../../kernel/async/once';
import { SIGN_IN_SCRIPT } from './docs-sign-in';
import { completeDocument } from './document/complete-document';
import { checkQuery } from './query';

const TAGS: readonly (readonly [string, string])[] = [
  ['Authentication', 'Sign-in and the caller’s identity.'],
  ['Connections', 'Targets behind the gateway, and the catalog of MCP servers.'],
  ['Connection Credentials', 'Credentials with which clients of the target’s own protocol sign in.'],
  ['Attributes', 'Labels that join connections to rules.'],
  ['Guard Rails', 'Rules that constrain input and output.'],
  ['Access Requests', 'Rules about which access needs a review.'],
  ['Reviews', 'Decisions requested from people.'],
  ['Sessions', 'Scripts, and the recordings of all sessions.'],
  ['User Management', 'People and groups.'],
  ['Machine Identities', 'API keys.'],
  ['Organization Management', 'Features of the organization.'],
  ['Webhooks', 'Sending events to other systems.'],
  ['Audit', 'The log of all changes.'],
  ['Server', 'Health of this gateway.'],
];

/** The API description (OpenAPI 3.0.3), made from the decorators of the controllers and DTOs. */
export function apiDocument(app: INestApplication, prefix: string): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.0.3')
    .setTitle('Access Gateway')
    .setVersion(API_VERSION)
    .setDescription(
      'An access gateway for databases and remote MCP servers: it signs people and machines in, decides who may open what, judges what goes in and what comes out, and records every session.',
    )
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(prefix, 'This gateway')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'Access token of the identity provider.' });
  for (const [name, description] of TAGS) builder.addTag(name, description);
  return completeDocument(SwaggerModule.createDocument(app, builder.build(), { ignoreGlobalPrefix: true }));
}

/** Returns the JSON and its weak entity tag. It is weak, because the sent bytes depend on the encoding. */
function taggedJson(document: OpenAPIObject): { text: string; etag: string } {
  const text = JSON.stringify(document);
  return { text, etag: `W/"${createHash('sha256').update(text).digest('base64url')}"` };
}

/** Query parameters of the documentation pages. A failed sign-in redirects to them with `error`. */
const PAGE_PARAMETERS: ReadonlySet<string> = new Set(['error']);
const NO_PARAMETERS: ReadonlySet<string> = new Set();

/**
 * Makes the documentation pages, which are not routes of a controller, refuse
 * bodies and queries as routes do.
 */
function takeNothing(prefix: string) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    const isPage = request.originalUrl.toLowerCase().startsWith(`${prefix.toLowerCase()}/docs`);
    checkQuery(request.originalUrl, isPage ? PAGE_PARAMETERS : NO_PARAMETERS);
    refuseBody(request);
    next();
  };
}

/**
 * Serves the document at `/openapi.json` and `/openapi.yaml`, and the Swagger UI at `/docs`.
 * @param document makes the document; it is called at the first request for it.
 */
export function serveApiDocument(
  app: NestExpressApplication,
  prefix: string,
  document: () => OpenAPIObject,
): void {
  const scriptPath = `${prefix}/docs/sign-in.js`;
  app.use([`${prefix}/docs`, `${prefix}/openapi.json`, `${prefix}/openapi.yaml`], takeNothing(prefix));
  app.getHttpAdapter().get(scriptPath, (_request: unknown, response: unknown) => {
    (response as Response).type('text/javascript').send(SIGN_IN_SCRIPT);
  });
  const json = once(() => taggedJson(document()));
  app.getHttpAdapter().get(`${prefix}/openapi.json`, (asked: unknown, answer: unknown) => {
    const [request, response] = [asked as Request, answer as Response];
    const { text, etag } = json();
    response.set({ ETag: etag, 'Cache-Control': 'no-cache' });
    // Compares the tag here, because Express ignores `If-None-Match` if the request also has `no-cache`.
    if (request.headers['if-none-match']?.includes(etag) === true) response.status(304).end();
    else response.type('application/json').send(text);
  });
  SwaggerModule.setup('docs', app, document, {
    useGlobalPrefix: true,
    raw: ['yaml'],
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Access Gateway',
    customJs: scriptPath,
    swaggerOptions: { displayRequestDuration: true, tryItOutEnabled: true },
  });
}
