import { hkdfSync, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import { DataSource } from 'typeorm';
import { SealingSettings } from '../../../platform/config/groups';
import { type JsonObject, canonicalHash } from '../../../kernel/json/json';
import type { Principal } from '../../../kernel/principal';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import { WorkerLinks } from '../../kit/worker-links';
import { RpcFault } from '../../../targets/mcp/protocol/rpc-messages';
import { INPUT_MS } from './unfinished-requests';

const VALID_SECONDS = INPUT_MS / 1000;
const ALGORITHMS = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/** Parameters that may differ when a request is repeated. */
const MAY_DIFFER: ReadonlySet<string> = new Set(['_meta', 'inputResponses', 'requestState', 'cursor']);

/**
 * Owner of a sealed state, and the request of the state. Only this owner may send the state, and only with
 * this request.
 */
export interface StateOwner {
  readonly principal: Principal;
  readonly connectionId: string;
  readonly method: string;
  /** Parameters. `_meta`, `inputResponses`, `requestState` and `cursor` may differ in a repeated request. */
  readonly params: JsonObject;
}

/** Content of a sealed request state or cursor. */
export interface CarriedState {
  /** The server's own state or cursor. */
  readonly state: string | undefined;
  /** Serial number of the continued request in the session `sessionId`. */
  readonly serial?: number;
  readonly sessionId?: string;
  /**
   * Id of the page that the client was asked to open. The gateway then sends the repeated request to the
   * server as a new request. See `OpenedPage`.
   */
  readonly page?: string;
  /** For a cursor: digests of the list pages and cursors before it. See `ListWalk`. */
  readonly trail?: readonly string[];
}

/**
 * Seals `requestState` and cursors, which clients get and send back, because an attacker may send any state
 * (2026-07-28, "Multi Round-Trip Requests"). The seal is a JWE (RFC 7516) with a key derived from the first
 * `SECRET_KEY`; keys derived from the other `SECRET_KEY`s can open it too. It is bound to principal,
 * connection, method and parameters. A request state expires and can be used only once, at any gateway.
 */
@Injectable()
export class RequestStates {
  private readonly keys: readonly Uint8Array[];

  constructor(
    settings: SealingSettings,
    private readonly database: DataSource,
    private readonly links: WorkerLinks,
  ) {
    this.keys = settings.keys.map(
      (key) => new Uint8Array(hkdfSync('sha256', key, Buffer.alloc(0), 'mcp request state', 32)),
    );
  }

  async seal(owner: StateOwner, carried: CarriedState, use: 'state' | 'cursor'): Promise<string> {
    // A state names the process in which its request waits. A cursor names none, because any process can
    // continue a list.
    const name = use === 'state' ? this.links.named('') : '';
    const jwt = new EncryptJWT({ ...carried, own: await digestOf(owner), use, name })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setJti(randomUUID());
    if (use === 'state') jwt.setExpirationTime(`${VALID_SECONDS}s`);
    return `${name}${await jwt.encrypt(this.keys[0] ?? new Uint8Array())}`;
  }

  /**
   * @throws RpcFault -32602, with the same message if the state is forged, expired, already used, or of
   * another user
   */
  async open(owner: StateOwner, sealed: string, use: 'state' | 'cursor'): Promise<CarriedState> {
    const payload = await this.decrypted(use === 'state' ? (WorkerLinks.unnamed(sealed) ?? '') : sealed);
    const isMeant =
      payload?.['use'] === use &&
      payload['own'] === (await digestOf(owner)) &&
      sealed.startsWith(String(payload['name']));
    if (payload === undefined || !isMeant) throw invalid(use);
    if (use === 'state' && !(await this.isFirstUse(String(payload['jti']), owner.principal.orgId)))
      throw invalid(use);
    const { state, serial, sessionId, page, trail } = payload;
    return {
      state: typeof state === 'string' ? state : undefined,
      ...(typeof serial === 'number' ? { serial } : {}),
      ...(typeof sessionId === 'string' ? { sessionId } : {}),
      ...(typeof page === 'string' ? { page } : {}),
      ...(Array.isArray(trail) ? { trail: trail.map(String) } : {}),
    };
  }

  private async decrypted(sealed: string): Promise<Record<string, unknown> | undefined> {
    for (const key of this.keys) {
      try {
        return (await jwtDecrypt(sealed, key, ALGORITHMS)).payload;
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
      }
    }
    return undefined;
  }

  /** Whether the state is used for the first time. Stores the use for longer than the state is valid. */
  private async isFirstUse(id: string, orgId: string): Promise<boolean> {
    const rows = await this.database.query<unknown[]>(
      `WITH expired AS (DELETE FROM mcp_used_states WHERE used_at < now() - make_interval(secs => $2))
       INSERT INTO mcp_used_states (id, org_id) VALUES ($1, $3) ON CONFLICT DO NOTHING RETURNING id`,
      [id, 2 * VALID_SECONDS, orgId],
    );
    return rows.length === 1;
  }
}

async function digestOf({ principal, connectionId, method, params }: StateOwner): Promise<string> {
  const same = Object.entries(params).filter(([name]) => !MAY_DIFFER.has(name));
  const owner = {
    org: principal.orgId,
    user: principal.userId,
    connectionId,
    method,
    params: Object.fromEntries(same),
  };
  return (await canonicalHash(owner)).toString('base64url');
}

function invalid(use: 'state' | 'cursor'): RpcFault {
  const what = use === 'state' ? 'requestState' : 'cursor';
  return new RpcFault(
    RPC_ERRORS.invalidParams,
    `the ${what} is not valid: it was used, it expired, or it belongs to another request or to somebody else`,
  );
}
