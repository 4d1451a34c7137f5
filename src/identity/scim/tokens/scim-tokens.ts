import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AppError } from '../../../kernel/app-error';
import { Clock } from '../../../kernel/async/clock';
import type { Principal } from '../../../kernel/principal';
import type { PageQuery } from '../../../platform/http/dto/page';
import type { Change } from '../../../platform/http/routes/change';
import type { ExpectedVersion } from '../../../platform/http/routes/versions';
import { SCIM_TOKEN_START } from '../../auth/tokens/scim-token-start';
import { IssuedSecrets, type SecretKind, secretDigest } from '../../issued-secrets/issued-secrets';
import { futureTime, secretStatus } from '../../issued-secrets/secret-status';
import {
  type CreatedScimTokenView,
  type ScimTokenBody,
  type ScimTokenPage,
  type ScimTokenView,
  scimTokenView,
} from './scim-token.dto';
import { ScimToken } from './scim-token.entity';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 365;
const MAX_DAYS = 731;

const SCIM_TOKENS: SecretKind<ScimToken, ScimTokenView> = {
  type: 'scim-tokens',
  noun: 'SCIM token',
  article: 'a',
  start: SCIM_TOKEN_START,
  digest: 'tokenHash',
  nameIndex: 'scim_tokens_name_index',
  view: scimTokenView,
};

/** Manages and checks the SCIM tokens of identity providers. */
@Injectable()
export class ScimTokens {
  private readonly secrets: IssuedSecrets<ScimToken, ScimTokenView>;

  constructor(
    @InjectRepository(ScimToken) tokens: Repository<ScimToken>,
    private readonly clock: Clock,
  ) {
    this.secrets = new IssuedSecrets(SCIM_TOKENS, tokens, clock);
  }

  /**
   * Returns the principal of a SCIM token: a machine without groups and with the role `regular`. Returns
   * undefined for an unknown, expired or revoked token. Queries the database each time, so that every gateway
   * refuses a revoked token at once.
   */
  async identify(bearer: string): Promise<Principal | undefined> {
    const token = await this.secrets.find(secretDigest(bearer));
    if (token === null || secretStatus(token, this.clock.now()) !== 'active') return undefined;
    return {
      orgId: token.orgId,
      userId: token.id,
      subject: `scim-token:${token.id}`,
      email: '',
      name: token.name,
      groups: [],
      role: 'regular',
      identityType: 'machine',
    };
  }

  list(orgId: string, query: PageQuery): Promise<ScimTokenPage> {
    return this.secrets.list(orgId, query);
  }

  get(orgId: string, id: string): Promise<ScimTokenView> {
    return this.secrets.get(orgId, id);
  }

  async create(change: Change, { name, expires_at = null }: ScimTokenBody): Promise<CreatedScimTokenView> {
    const { view, text } = await this.secrets.create(
      change,
      { name, expiresAt: this.expiry(expires_at) },
      {},
    );
    return { ...view, token: text };
  }

  revoke(change: Change, id: string, expected: ExpectedVersion): Promise<void> {
    return this.secrets.revoke(change, id, expected);
  }

  private expiry(given: string | null): Date {
    const now = this.clock.now();
    if (given === null) return new Date(now + DEFAULT_DAYS * DAY_MS);
    const date = futureTime(given, now);
    if (date.getTime() > now + MAX_DAYS * DAY_MS)
      throw new AppError('unprocessable', 'expires_at must be at most two years from now');
    return date;
  }
}
