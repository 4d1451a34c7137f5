import type { NestExpressApplication } from '@nestjs/platform-express';
import { McpEndpoint } from './endpoint';

/**
 * Serves the MCP endpoints. They are no routes of Nest: their messages are JSON-RPC, their answers may be streams, and their errors are
 * not those of the REST API.
 */
export function serveMcp(app: NestExpressApplication, prefix: string): void {
  const endpoint = app.get(McpEndpoint);
  app.getHttpAdapter().getInstance().all(`${prefix}/mcp/:connection`, endpoint.handle.bind(endpoint));
}
