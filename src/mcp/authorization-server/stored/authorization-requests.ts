import { randomUUID, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { OrganizationsService } from '../../../identity/auth/organization/organizations.service';
import { Clock } from '../../../kernel/async/clock';
import type { Principal } from '../../../kernel/principal';
import { AuthorizationRequest } from './authorization.entity';
import { PageFault } from '../../../platform/http/pages/page-fault';
import { sha256 } from '../../../platform/http/pages/browser-secret';

const REQUEST_LIFETIME_MS = 10 * 60_000;
/**
 * Maximum number of requests for which nobody has signed in yet. Above it, the oldest are deleted. So a flood
 * of requests does not keep new ones out, and does not end requests of people who have signed in.
 */
const WAITING_FOR_A_PERSON = 5_000;

export type NewRequest = Pick<
  AuthorizationRequest,
  'clientId' | 'redirectUri' | 'clientState' | 'codeChallenge' | 'connection'
>;

/** A request whose person, client and connection were checked and shown on the consent page. */
export type CheckedRequest = AuthorizationRequest & {
  readonly clientName: string;
  readonly userId: string;
};

/** Stores authorization requests until a person has decided. */
@Injectable()
export class AuthorizationRequests {
  constructor(
    @InjectRepository(AuthorizationRequest) private readonly requests: Repository<AuthorizationRequest>,
    private readonly organizations: OrganizationsService,
    private readonly clock: Clock,
  ) {}

  /** Stores a request and returns its id. @param browser secret of the browser that must continue it. */
  async keep(request: NewRequest, browser: string): Promise<string> {
    const { id: orgId } = await this.organizations.defaultOrganization();
    const id = randomUUID();
    await this.requests.insert({
      ...request,
      orgId,
      id,
      browserHash: sha256(browser),
      clientName: null,
      connectionId: null,
      userId: null,
      expiresAt: new Date(this.clock.now() + REQUEST_LIFETIME_MS),
    });
    await this.requests.query(
      `DELETE FROM authorization_requests WHERE id = ANY (ARRAY(
         SELECT id FROM authorization_requests WHERE org_id = $1 AND user_id IS NULL
         ORDER BY expires_at DESC, id OFFSET $2 FOR UPDATE SKIP LOCKED))`,
      [orgId, WAITING_FOR_A_PERSON],
    );
    return id;
  }

  /** Stores the user who signed in. The callback of the sign-in has already checked the browser. */
  async signedIn(id: string, person: Principal): Promise<void> {
    await this.requests.update({ id }, { userId: person.userId });
  }

  /** @throws PageFault when the request is unknown, used, expired, or belongs to another browser. */
  async find(id: string | undefined, browser: string | undefined): Promise<AuthorizationRequest> {
    const request = id === undefined || !isUuid(id) ? null : await this.requests.findOneBy({ id });
    const isOfBrowser =
      request !== null && browser !== undefined && timingSafeEqual(request.browserHash, sha256(browser));
    if (request === null || !isOfBrowser || request.expiresAt.getTime() <= this.clock.now()) throw over();
    return request;
  }

  /** Stores the data that the consent page shows, so that the decision applies to exactly these data. */
  async show(
    id: string,
    shown: { readonly clientName: string; readonly connectionId: string | null },
  ): Promise<void> {
    await this.requests.update({ id }, shown);
  }

  /** @throws PageFault when the consent page was not shown yet. */
  checked(request: AuthorizationRequest): CheckedRequest {
    const { clientName, connection, connectionId, userId } = request;
    const isShown = (connection === null) === (connectionId === null);
    if (clientName === null || !isShown || userId === null) throw over();
    return Object.assign(request, { clientName, userId });
  }

  /**
   * Deletes the request, so that it is used only once.
   * @throws PageFault when it was used or changed meanwhile.
   */
  async take(db: EntityManager, { id, clientName, connectionId, userId }: CheckedRequest): Promise<void> {
    const { affected } = await db.delete(AuthorizationRequest, {
      id,
      clientName,
      connectionId: connectionId ?? IsNull(),
      userId,
    });
    if (affected !== 1) throw over();
  }
}

function over(): PageFault {
  return new PageFault(
    'Please start again',
    'This sign-in is unknown, used or expired, or it was started in another browser. Start again from the application.',
  );
}
