import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Response } from 'express';
import { API_VERSION } from './api-version';
import { SIGN_IN_SCRIPT } from './docs-sign-in';
import { completeDocument } from './document/complete-document';

const TAGS: readonly (readonly [string, string])[] = [
  ['Authentication', 'Sign-in and who the caller is.'],
  ['Connections', 'Targets behind the gateway, and the catalog that pre-fills them.'],
  ['Connection Credentials', 'What a client of the target’s own protocol signs in with.'],
  ['Attributes', 'Labels that join connections to rules.'],
  ['Guard Rails', 'Rules that constrain input and output.'],
  ['Access Requests', 'Rules about how access must be reviewed and approved.'],
  ['Reviews', 'Decisions that people are asked for.'],
  ['Sessions', 'Running scripts, and the recordings of every visit.'],
  ['User Management', 'People and groups.'],
  ['Machine Identities', 'API keys.'],
  ['Organization Management', 'Features of the organization.'],
  ['Webhooks', 'Events that are sent to other systems.'],
  ['Audit', 'Who changed what.'],
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

/** Serves the document at `/openapi.json` and `/openapi.yaml`, and the Swagger UI at `/docs`. */
export function serveApiDocument(app: NestExpressApplication, prefix: string): void {
  const scriptPath = `${prefix}/docs/sign-in.js`;
  app.getHttpAdapter().get(scriptPath, (_request: unknown, response: unknown) => {
    (response as Response).type('text/javascript').send(SIGN_IN_SCRIPT);
  });
  SwaggerModule.setup('docs', app, () => apiDocument(app, prefix), {
    useGlobalPrefix: true,
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Access Gateway',
    customJs: scriptPath,
    swaggerOptions: { displayRequestDuration: true, tryItOutEnabled: true },
  });
}
