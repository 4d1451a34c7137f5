import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OrganizationsService } from '../../../identity/auth/organization/organizations.service';
import { SecretBox } from '../../../platform/keys/secret-box';
import { sha256 } from '../../../platform/http/pages/browser-secret';
import { Clock } from '../../../kernel/async/clock';
import type { Principal } from '../../../kernel/principal';
import type { BegunSignIn } from './sign-in-grants';

const LIFETIME_MS = 10 * 60_000;

interface Row {
  readonly org_id: string;
  readonly id: string;
  readonly sign_in_id: string;
  readonly user_id: string;
  readonly secret: Buffer;
}

/** The visit of a browser to a sign-in address, with the user who signed in to the gateway for it. */
export interface BrowserVisit {
  readonly orgId: string;
  readonly id: string;
  /** Id of the sign-in address, as the browser sent it. An address with this id may not exist. */
  readonly signInId: string;
  readonly userId: string;
}

/** Additional authenticated data with which the secret of a browser's visit is sealed. */
export function signInVisitContext({ orgId, id }: { readonly orgId: string; readonly id: string }): string {
  return `upstream-sign-in-visit:${orgId}:${id}`;
}

/**
 * Stores visits of browsers to sign-in addresses. A visit lasts ten minutes. The ten minutes start again when
 * the browser leaves for the authorization server.
 */
@Injectable()
export class BrowserVisits {
  constructor(
    private readonly database: DataSource,
    private readonly organizations: OrganizationsService,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Starts a browser's visit and returns its id. @param browser secret of the browser that continues it. */
  async begin(signInId: string, browser: string): Promise<string> {
    const { id: orgId } = await this.organizations.defaultOrganization();
    const id = randomUUID();
    await this.database.query(
      `INSERT INTO upstream_sign_in_visits (org_id, id, sign_in_id, browser_hash, secret, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [
        orgId,
        id,
        signInId,
        sha256(browser),
        this.box.seal({}, signInVisitContext({ orgId, id })),
        new Date(this.clock.now() + LIFETIME_MS),
      ],
    );
    return id;
  }

  /** Stores the user who signed in. The callback has checked that the same browser began the visit. */
  async signedIn(id: string, person: Principal): Promise<void> {
    await this.database.query('UPDATE upstream_sign_in_visits SET user_id = $2 WHERE id = $1', [
      id,
      person.userId,
    ]);
  }

  /**
   * Returns undefined if the browser's visit is unknown or expired, belongs to another browser or another
   * sign-in address, or has no user who signed in.
   */
  async find(id: string, signInId: string, browser: string): Promise<BrowserVisit | undefined> {
    const [row] = await this.database.query<Row[]>(
      `SELECT org_id, id, sign_in_id, user_id FROM upstream_sign_in_visits
       WHERE id = $1 AND sign_in_id = $2 AND browser_hash = $3 AND user_id IS NOT NULL AND expires_at > $4`,
      [id, signInId, sha256(browser), new Date(this.clock.now())],
    );
    return row === undefined ? undefined : visitOf(row);
  }

  /**
   * Stores the sign-in at the authorization server that the browser starts now, and replaces an earlier one
   * of the same visit. When the browser returns, the sign-in is found by its `state`.
   */
  async leave({ orgId, id }: BrowserVisit, begun: BegunSignIn): Promise<void> {
    const secret = this.box.seal({ BEGUN: JSON.stringify(begun) }, signInVisitContext({ orgId, id }));
    await this.database.query(
      'UPDATE upstream_sign_in_visits SET state_hash = $2, secret = $3, expires_at = $4 WHERE id = $1',
      [id, sha256(begun.state), secret, new Date(this.clock.now() + LIFETIME_MS)],
    );
  }

  /**
   * Ends the visit of a browser that returns from the authorization server. If several requests have the same
   * `state`, only the first one gets the visit.
   */
  async comeBack(
    state: string,
    browser: string,
  ): Promise<{ readonly visit: BrowserVisit; readonly begun: BegunSignIn } | undefined> {
    const [[row]] = await this.database.query<[Row[], number]>(
      `DELETE FROM upstream_sign_in_visits WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > $3
       RETURNING org_id, id, sign_in_id, user_id, secret`,
      [sha256(state), sha256(browser), new Date(this.clock.now())],
    );
    if (row === undefined) return undefined;
    const visit = visitOf(row);
    const { BEGUN = '' } = this.box.open(row.secret, signInVisitContext(visit));
    return { visit, begun: JSON.parse(BEGUN) as BegunSignIn };
  }
}

function visitOf(row: Row): BrowserVisit {
  return { orgId: row.org_id, id: row.id, signInId: row.sign_in_id, userId: row.user_id };
}
