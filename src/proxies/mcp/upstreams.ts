import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { McpSettings } from '../../config/groups';
import type { Target } from '../../gate/ports/target-directory';
import { TargetReachability } from '../../gate/ports/target-reachability';
import { type McpUpstream, type RememberedEra, openUpstream } from '../../targets/mcp/upstream';
import type { ClientFacts } from './modern-request';

const MEBIBYTE = 1024 * 1024;
const TRANSPORTS = new Set(['streamable-http', 'sse'] as const);

/** Opens ways to MCP servers, and remembers what each of them speaks. */
@Injectable()
export class Upstreams {
  /** By connection and URL. */
  private readonly eras = new LRUCache<string, RememberedEra>({ max: 10_000 });

  constructor(
    private readonly settings: McpSettings,
    private readonly reachability: TargetReachability,
  ) {}

  /** @throws when no key opens the secret of the connection. */
  open(target: Target, client: ClientFacts): McpUpstream {
    const secret = target.openSecret();
    const url = new URL(secret['REMOTE_URL'] ?? '');
    const key = `${target.id} ${url.href}`;
    return openUpstream({
      url,
      transport: transportOf(secret['MCP_TRANSPORT']),
      headers: () => headersOf(secret),
      allowedHosts: this.settings.allowedHosts,
      client,
      maxMessageBytes: this.settings.messageMb * MEBIBYTE,
      timeoutMs: this.settings.answerSeconds * 1000,
      era: this.eras.get(key),
      remember: (era, revision) => {
        this.eras.set(key, { era, revision, at: new Date() });
        void this.reachability.note(target, true);
      },
    });
  }
}

function transportOf(name: string | undefined): 'streamable-http' | 'sse' | 'auto' {
  for (const transport of TRANSPORTS) if (transport === name) return transport;
  return 'auto';
}

/** `HEADER_Authorization` has the value of the header `Authorization`. `_` stands for `-`, which environment variables cannot contain. */
function headersOf(secret: Readonly<Record<string, string>>): Record<string, string> {
  const headers = Object.entries(secret).filter(([name]) => name.startsWith('HEADER_'));
  return Object.fromEntries(
    headers.map(([name, value]) => [name.slice('HEADER_'.length).replaceAll('_', '-'), value]),
  );
}
