import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ServerMetadata } from 'openid-client';
import { DataSource } from 'typeorm';
import { HttpSettings, McpSettings } from '../../../platform/config/groups';
import { SecretBox } from '../../../platform/keys/secret-box';
import { CredentialFault } from '../../../gate/ports/upstream-credentials';
import { Clock } from '../../../kernel/async/clock';
import { checkedFetch } from '../../../platform/outbound/checked-fetch';
import type { SignInPlan } from '../oauth/auth-of-secret';
import { type OAuthClient, clientAuthMethod, knownAuthMethod } from '../oauth/oauth-client';

/** Path of the sign-in pages, below the API prefix. */
export const CONNECT_PATH = '/mcp-connect';
const KEY_LENGTH = 22;
export const ISSUER_KEY = /^[\w-]{22}$/;
/** Time before the expiry of a registered client from which the client is not used anymore. */
const AHEAD_MS = 60_000;

interface Row {
  readonly id: string;
  readonly secret: Buffer;
}

/** Additional authenticated data with which the secret of a registered client is sealed. */
export function upstreamClientContext({
  orgId,
  id,
}: {
  readonly orgId: string;
  readonly id: string;
}): string {
  return `upstream-client:${orgId}:${id}`;
}

/**
 * Returns the key of an issuer in URLs. Each issuer has its own redirect URI. So a code from one issuer
 * cannot be used as the code of another (RFC 9700, section 4.4.2.2), whether or not the issuer sends `iss`.
 */
export function issuerKey(issuer: string): string {
  return createHash('sha256').update(issuer).digest('base64url').slice(0, KEY_LENGTH);
}

/**
 * Selects the gateway's client at an authorization server: the client in the connection's secret, a Client ID
 * Metadata Document, or a client that the gateway registered (RFC 7591). A registered client is stored sealed
 * and used for its issuer only.
 */
@Injectable()
export class UpstreamClients {
  constructor(
    private readonly http: HttpSettings,
    private readonly mcp: McpSettings,
    private readonly database: DataSource,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Returns all clients that the gateway may have at the authorization server. Sends no request. */
  async known(
    orgId: string,
    plan: Pick<SignInPlan, 'client'>,
    issuer: string,
  ): Promise<readonly OAuthClient[]> {
    if (plan.client !== undefined) return [plan.client];
    // Renewal and revocation of tokens need no redirect URI, so a client that was registered for an earlier
    // `API_URL` can still be used for them.
    const kept = await this.find(orgId, issuer, false);
    return [{ id: this.documentUrl(issuerKey(issuer)) }, ...(kept === undefined ? [] : [kept])];
  }

  /**
   * Returns the client for a new sign-in; registers one if necessary.
   * @throws CredentialFault, errors of the network
   */
  async of(orgId: string, plan: Pick<SignInPlan, 'client'>, metadata: ServerMetadata): Promise<OAuthClient> {
    if (plan.client !== undefined) return plan.client;
    const isDocumentTaken = metadata['client_id_metadata_document_supported'] === true;
    if (isDocumentTaken && this.http.apiUrl.startsWith('https://'))
      return { id: this.documentUrl(issuerKey(metadata.issuer)) };
    const kept = await this.find(orgId, metadata.issuer);
    if (kept !== undefined) return kept;
    const endpoint = metadata.registration_endpoint;
    if (endpoint === undefined)
      throw new CredentialFault(
        'needs_reauth',
        `The authorization server does not let applications introduce themselves. An admin has to register the gateway there, with the redirect URI ${this.redirectUri(metadata.issuer)}, and to set MCP_ISSUER, MCP_CLIENT_ID and MCP_CLIENT_SECRET of the connection.`,
      );
    return this.keep(orgId, metadata.issuer, await this.register(endpoint, metadata));
  }

  /** Deletes a client that the authorization server no longer knows. The next sign-in registers a new one. */
  async forget(orgId: string, issuer: string, clientId: string): Promise<void> {
    const row = await this.row(orgId, issuer);
    if (row === undefined || this.opened(orgId, issuer, row, false)?.id !== clientId) return;
    // Each registration has a new row id, so a client that another gateway registered meanwhile is kept.
    await this.database.query('DELETE FROM upstream_clients WHERE id = $1', [row.id]);
  }

  /** Address to which users come back from this issuer. */
  redirectUri(issuer: string): string {
    return `${this.base}/callback/${issuerKey(issuer)}`;
  }

  /**
   * The metadata document of the gateway for the issuer with this key
   * (draft-ietf-oauth-client-id-metadata-document).
   */
  document(key: string): object {
    return {
      client_id: this.documentUrl(key),
      ...this.described([`${this.base}/callback/${key}`]),
      token_endpoint_auth_method: 'none',
    };
  }

  private get base(): string {
    return `${this.http.apiUrl}${this.http.apiPrefix}${CONNECT_PATH}`;
  }

  private documentUrl(key: string): string {
    return `${this.base}/client/${key}`;
  }

  private described(redirectUris: readonly string[]): object {
    return {
      client_name: `Access gateway at ${new URL(this.http.apiUrl).host}`,
      client_uri: this.http.apiUrl,
      application_type: 'web',
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    };
  }

  private async register(endpoint: string, metadata: ServerMetadata): Promise<Record<string, string>> {
    const redirectUri = this.redirectUri(metadata.issuer);
    const answer = await checkedFetch(this.mcp.allowedHosts)(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        ...this.described([redirectUri]),
        token_endpoint_auth_method: clientAuthMethod(metadata),
      }),
    });
    const body = (await answer.json().catch(() => undefined)) as Record<string, unknown> | null | undefined;
    const { client_id: id, client_secret: secret, client_secret_expires_at: expires } = body ?? {};
    // The server may register another authentication method than the requested one (RFC 7591, section 3.2.1).
    const method = knownAuthMethod(body?.['token_endpoint_auth_method']);
    if ((answer.status !== 201 && answer.status !== 200) || typeof id !== 'string' || id === '')
      throw new CredentialFault(
        'needs_reauth',
        'The authorization server did not register the gateway. An admin has to register it there, and to set MCP_ISSUER, MCP_CLIENT_ID and MCP_CLIENT_SECRET of the connection.',
      );
    return {
      ID: id,
      REDIRECT_URI: redirectUri,
      ...(typeof secret === 'string' ? { SECRET: secret } : {}),
      ...(method === undefined ? {} : { METHOD: method }),
      ...(typeof expires === 'number' && expires > 0 ? { EXPIRES_AT: String(expires * 1000) } : {}),
    };
  }

  /** Stores a client unless another gateway has already stored a usable one. Returns the stored client. */
  private async keep(orgId: string, issuer: string, client: Record<string, string>): Promise<OAuthClient> {
    const id = randomUUID();
    const secret = this.box.seal(client, upstreamClientContext({ orgId, id }));
    await this.database.transaction(async (db) => {
      // Inserts before it reads, because a row that does not exist yet cannot be locked. If two gateways read
      // first, both would insert. This statement waits for the other gateway.
      await db.query(
        `INSERT INTO upstream_clients (org_id, id, issuer, secret) VALUES ($1, $2, $3, $4)
         ON CONFLICT (org_id, issuer) DO NOTHING`,
        [orgId, id, issuer, secret],
      );
      const [row] = await db.query<Row[]>(
        'SELECT id, secret FROM upstream_clients WHERE org_id = $1 AND issuer = $2 FOR UPDATE',
        [orgId, issuer],
      );
      if (row === undefined || this.opened(orgId, issuer, row) !== undefined) return;
      await db.query('UPDATE upstream_clients SET id = $2, secret = $3, created_at = now() WHERE id = $1', [
        row.id,
        id,
        secret,
      ]);
    });
    const kept = await this.find(orgId, issuer);
    if (kept === undefined) throw new Error('the client that was just registered is missing');
    return kept;
  }

  /**
   * @param signsIn whether the client is for a sign-in. If so, it must be registered with the current
   * redirect URI of this gateway.
   */
  private async find(orgId: string, issuer: string, signsIn = true): Promise<OAuthClient | undefined> {
    const row = await this.row(orgId, issuer);
    return row === undefined ? undefined : this.opened(orgId, issuer, row, signsIn);
  }

  private async row(orgId: string, issuer: string): Promise<Row | undefined> {
    const [row] = await this.database.query<Row[]>(
      'SELECT id, secret FROM upstream_clients WHERE org_id = $1 AND issuer = $2',
      [orgId, issuer],
    );
    return row;
  }

  /**
   * Returns the opened client; undefined if the client has expired or was registered for another redirect
   * URI, or if no key of `SECRET_KEY` opens it.
   */
  private opened(
    orgId: string,
    issuer: string,
    { id, secret }: Row,
    signsIn = true,
  ): OAuthClient | undefined {
    try {
      const client = this.box.open(secret, upstreamClientContext({ orgId, id }));
      const isOver =
        client['EXPIRES_AT'] !== undefined && Number(client['EXPIRES_AT']) - AHEAD_MS < this.clock.now();
      const isElsewhere = signsIn && client['REDIRECT_URI'] !== this.redirectUri(issuer);
      if (isOver || isElsewhere) return undefined;
      return { id: client['ID'] ?? '', secret: client['SECRET'], method: knownAuthMethod(client['METHOD']) };
    } catch {
      return undefined;
    }
  }
}
