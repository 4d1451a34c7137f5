import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { OrganizationsService } from '../../../identity/auth/organization/organizations.service';
import { randomSecret, sha256 } from '../../../platform/http/pages/browser-secret';
import { Clock } from '../../../kernel/async/clock';
import { visibleName } from '../../../kernel/text/names';
import type { Caller } from '../stored/authorization-audit';
import { AuthorizationDevice } from '../stored/authorization.entity';
import { COMMAND_LINE } from '../protocol/command-line';
import { newUserCode } from '../protocol/user-code';

const LIFETIME_SECONDS = 600;
const INTERVAL_SECONDS = 5;
/**
 * Maximum number of device requests. Above it, the oldest are deleted, so that a flood of requests does not
 * block new ones.
 */
const UNDER_WAY = 1_000;
const MAX_USER_AGENT = 200;
const CODE_START = 'gwd_';

/** A new device request, with both codes in plain text for the device. */
export interface BegunDevice {
  readonly deviceCode: string;
  /** Code that the person types: 8 letters. */
  readonly userCode: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

/**
 * Stores the requests of devices without a browser, and finds them by their codes. Both codes are stored as
 * hashes.
 */
@Injectable()
export class Devices {
  constructor(
    @InjectRepository(AuthorizationDevice) private readonly stored: Repository<AuthorizationDevice>,
    private readonly organizations: OrganizationsService,
    private readonly clock: Clock,
  ) {}

  async begin({ address }: Caller, userAgent: string): Promise<BegunDevice> {
    const { id: orgId } = await this.organizations.defaultOrganization();
    const now = this.clock.now();
    const [deviceCode, userCode] = [`${CODE_START}${randomSecret()}`, newUserCode()];
    await this.stored.insert({
      orgId,
      id: randomUUID(),
      deviceHash: sha256(deviceCode),
      userCodeHash: sha256(userCode),
      clientId: COMMAND_LINE.id,
      address,
      userAgent: visibleName(userAgent.slice(0, MAX_USER_AGENT).toWellFormed()),
      createdAt: new Date(now),
      expiresAt: new Date(now + LIFETIME_SECONDS * 1000),
      intervalSeconds: INTERVAL_SECONDS,
      polledAt: null,
      decision: null,
      userId: null,
    });
    await this.stored.query(
      `DELETE FROM authorization_devices WHERE id = ANY (ARRAY(
         SELECT id FROM authorization_devices WHERE org_id = $1
         ORDER BY created_at DESC, id OFFSET $2 FOR UPDATE SKIP LOCKED))`,
      [orgId, UNDER_WAY],
    );
    return { deviceCode, userCode, expiresInSeconds: LIFETIME_SECONDS, intervalSeconds: INTERVAL_SECONDS };
  }

  /** Returns the device request with this user code; undefined if it is unknown, expired or decided. */
  async waiting(userCode: string): Promise<AuthorizationDevice | undefined> {
    const found = await this.stored.findOneBy({ userCodeHash: sha256(userCode), decision: IsNull() });
    return found === null || found.expiresAt.getTime() <= this.clock.now() ? undefined : found;
  }

  /** Returns the request of a device in any state, even expired. */
  async ofDevice(deviceCode: string): Promise<AuthorizationDevice | undefined> {
    return (await this.stored.findOneBy({ deviceHash: sha256(deviceCode) })) ?? undefined;
  }

  /**
   * Returns whether a device polls again before its interval is over. If so, makes the interval longer (RFC
   * 8628, section 3.5).
   */
  async isHasty({ id, polledAt, intervalSeconds }: AuthorizationDevice): Promise<boolean> {
    const now = this.clock.now();
    const isHasty = polledAt !== null && now - polledAt.getTime() < intervalSeconds * 1000;
    await this.stored.update(
      { id },
      {
        polledAt: new Date(now),
        ...(isHasty ? { intervalSeconds: intervalSeconds + INTERVAL_SECONDS } : {}),
      },
    );
    return isHasty;
  }
}
