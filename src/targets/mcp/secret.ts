import type { Secret } from '../contract/kind';
import type { UpstreamOptions } from './upstream';

/** The parts of a connection's secret for reaching its MCP server. */
export interface SecretOfServer extends Pick<UpstreamOptions, 'url' | 'transport'> {
  /** Headers of the secret: the credential of `MCP_AUTH=static`, and others that the server requires. */
  readonly headers: Readonly<Record<string, string>>;
}

/** @param secret a secret that the schema `mcpServer.secret` allows */
export function secretOfServer(secret: Secret): SecretOfServer {
  const headers = Object.entries(secret).filter(([name]) => name.startsWith('HEADER_'));
  return {
    url: new URL(secret['REMOTE_URL'] ?? ''),
    transport: transportOf(secret['MCP_TRANSPORT']),
    // `_` stands for `-`, which environment variables cannot contain.
    headers: Object.fromEntries(
      headers.map(([name, value]) => [name.slice('HEADER_'.length).replaceAll('_', '-'), value]),
    ),
  };
}

function transportOf(name: string | undefined): UpstreamOptions['transport'] {
  return name === 'streamable-http' || name === 'sse' ? name : 'auto';
}
