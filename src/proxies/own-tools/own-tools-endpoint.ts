import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { OwnEndpoint } from './own-tools.module';
import { OwnTools } from './own-tools';

/** The endpoint that serves our own API as tools at `{API_PREFIX}/mcp`. */
export function ownToolsEndpoint(app: NestExpressApplication, document: () => OpenAPIObject): OwnEndpoint {
  app.get(OwnTools).describedBy(document);
  return app.get(OwnEndpoint);
}
