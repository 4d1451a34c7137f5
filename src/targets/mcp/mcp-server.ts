import type { TargetKind } from '../kind';
import { oneOf, webAddress } from '../secret-schema';
import { probe } from './probe';

/** Remote MCP servers. */
export const mcpServer: TargetKind = {
  type: 'application',
  subtype: 'mcpproxy',
  secret: {
    fields: {
      REMOTE_URL: { required: true, check: webAddress },
      MCP_TRANSPORT: { check: oneOf('streamable-http', 'sse') },
      MCP_AUTH: { check: oneOf('none', 'static', 'oauth') },
    },
    freePrefix: 'HEADER_',
  },
  language: 'tool-call',
  clientProtocol: 'mcp',
  hasMcpPolicy: true,
  probe,
};
