import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Target } from '../../gate/ports/target-directory';
import type { Principal } from '../../kernel/principal';
import type { ConnectionReachability } from './connection-reachability.entity';
import { StoredReachability } from './stored-reachability';

export const MCP_AUTH_STATUS = ['ok', 'needs_reauth', 'none'] as const;

/** State of the token with which the gateway reaches an MCP server. */
export interface McpAuthState {
  readonly status: (typeof MCP_AUTH_STATUS)[number];
  readonly since: Date | null;
}

/** Measured state of a connection. A new measurement does not increase the version of the connection. */
export interface ConnectionState {
  readonly reachability?: ConnectionReachability | undefined;
  readonly mcpAuth?: McpAuthState | undefined;
}

/** Interface of the module that stores the tokens for MCP servers. */
export interface McpAuthStates {
  /**
   * Returns the token states by connection id. A connection has either one shared token or one token per
   * user, of which the viewer's is returned. Connections without a token are missing.
   */
  of(
    db: EntityManager,
    orgId: string,
    ids: readonly string[],
    viewerId: string | undefined,
  ): Promise<ReadonlyMap<string, McpAuthState>>;
  /**
   * Deletes all tokens of a connection.
   * @param secret the former secret of the connection; undefined: no key opens it
   * @returns a function to call after the commit. It begins to revoke the tokens at their issuers, and never
   * throws.
   */
  forget(
    db: EntityManager,
    connection: Pick<Target, 'orgId' | 'id'>,
    secret: Readonly<Record<string, string>> | undefined,
  ): Promise<() => void>;
}

/** Measured state of connections: whether targets can be reached, and the state of tokens. */
@Injectable()
export class ConnectionStates {
  private mcpAuth: McpAuthStates | undefined;

  constructor(private readonly reachability: StoredReachability) {}

  /** Registers the module that stores the tokens. That module calls this once. */
  tokensKeptBy(states: McpAuthStates): void {
    this.mcpAuth = states;
  }

  async of(
    db: EntityManager,
    orgId: string,
    ids: readonly string[],
    viewer?: Principal,
  ): Promise<Map<string, ConnectionState>> {
    const reached = await this.reachability.of(db, orgId, ids);
    const tokens = ids.length === 0 ? undefined : await this.mcpAuth?.of(db, orgId, ids, viewer?.userId);
    return new Map(
      ids.map((id) => [id, { reachability: reached.get(id), mcpAuth: tokens?.get(id) }] as const),
    );
  }

  /**
   * Deletes the measured state and the tokens of a connection. Parameters and result are those of
   * `McpAuthStates.forget`.
   */
  async forget(
    db: EntityManager,
    connection: Pick<Target, 'orgId' | 'id'>,
    secret: Readonly<Record<string, string>> | undefined,
  ): Promise<() => void> {
    await this.reachability.forget(db, connection);
    return (await this.mcpAuth?.forget(db, connection, secret)) ?? (() => undefined);
  }
}
