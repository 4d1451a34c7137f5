import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { OrganizationsService } from '../../../identity/auth/organization/organizations.service';
import { Clock } from '../../../kernel/async/clock';
import { AuthorizationClient } from '../stored/authorization.entity';
import { ClientDocuments, isDocumentUrl } from './client-documents';
import { type Client, readMetadata } from '../protocol/client-metadata';
import { COMMAND_LINE } from '../protocol/command-line';
import { PageFault } from '../../../platform/http/pages/page-fault';
import { randomSecret } from '../../../platform/http/pages/browser-secret';

/**
 * Maximum number of unused client registrations. Above it, the oldest are deleted, so that a flood of
 * registrations does not keep new clients out.
 */
const UNUSED_REGISTRATIONS = 5_000;
const CLIENT_START = 'gwa_';

/** The answer to a registration (RFC 7591, section 3.2.1). */
export interface RegisteredClient {
  readonly client_id: string;
  readonly client_id_issued_at: number;
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
  readonly token_endpoint_auth_method: 'none';
  readonly scope: string;
}

/**
 * Registers and finds clients. A client is registered, or its id is the URL of a metadata document. All are
 * public clients, without a secret.
 */
@Injectable()
export class Clients {
  constructor(
    @InjectRepository(AuthorizationClient) private readonly registered: Repository<AuthorizationClient>,
    private readonly documents: ClientDocuments,
    private readonly organizations: OrganizationsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns a registered client or the command line; undefined if the id is the URL of a metadata document.
   * Sends no request.
   * @throws PageFault for an unknown client.
   */
  async findRegistered(id: string): Promise<Client | undefined> {
    if (id === COMMAND_LINE.id) return COMMAND_LINE;
    if (isDocumentUrl(id)) return undefined;
    const { id: orgId } = await this.organizations.defaultOrganization();
    const client = await this.registered.findOneBy({ orgId, id });
    if (client === null)
      throw new PageFault(
        'This application is not known',
        'Its registration is unknown or has expired. Remove the connection in the application and add it again.',
      );
    return client;
  }

  /** Returns a client. Fetches its metadata document if the id is the URL of one. @throws PageFault */
  async find(id: string): Promise<Client> {
    return (await this.findRegistered(id)) ?? this.documents.find(id);
  }

  /** @throws OAuthFault for metadata that cannot be accepted. */
  async register(metadata: unknown, scope: string): Promise<RegisteredClient> {
    const { name, redirectUris } = readMetadata(metadata);
    const { id: orgId } = await this.organizations.defaultOrganization();
    const now = this.clock.now();
    const client = { orgId, id: `${CLIENT_START}${randomSecret()}`, name, redirectUris: [...redirectUris] };
    await this.registered.insert({ ...client, createdAt: new Date(now), usedAt: null });
    await this.registered.manager.query(
      `DELETE FROM authorization_clients WHERE id = ANY (ARRAY(
         SELECT id FROM authorization_clients WHERE org_id = $1 AND used_at IS NULL
         ORDER BY created_at DESC, id OFFSET $2 FOR UPDATE SKIP LOCKED))`,
      [orgId, UNUSED_REGISTRATIONS],
    );
    return {
      client_id: client.id,
      client_id_issued_at: Math.floor(now / 1000),
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope,
    };
  }

  /**
   * Stores the time at which a person last authorized the client. Has no effect for clients without a row:
   * the command line, and clients with a metadata document.
   */
  async used(db: EntityManager, id: string): Promise<void> {
    await db.update(AuthorizationClient, { id }, { usedAt: new Date(this.clock.now()) });
  }
}
