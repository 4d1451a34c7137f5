import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { OwnEndpoint } from './own-tools.module';
import { OwnTools } from './own-tools';

/** Serves our own API as tools at `{API_PREFIX}/mcp`. See `serveMcp` for why this is no route of Nest. */
export function serveOwnTools(
  app: NestExpressApplication,
  prefix: string,
  document: () => OpenAPIObject,
): void {
  app.get(OwnTools).describedBy(document);
  const endpoint = app.get(OwnEndpoint);
  app.getHttpAdapter().getInstance().all(`${prefix}/mcp`, endpoint.handle.bind(endpoint));
}
