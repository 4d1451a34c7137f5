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
  /** Id of the address, as the browser sent it. There may be no address with this id. */
  readonly signInId: string;
  readonly userId: string;
}

/** Additional authenticated data for the seal. */
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

  /** Starts a visit and returns its id. @param browser secret of the browser that must continue the visit. */
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

  /** Stores the user who signed in. The callback has checked that it is the same browser. */
  async signedIn(id: string, person: Principal): Promise<void> {
    await this.database.query('UPDATE upstream_sign_in_visits SET user_id = $2 WHERE id = $1', [
      id,
      person.userId,
    ]);
  }

  /**
   * Returns undefined if the visit is unknown or expired, belongs to another browser or address, or has no
   * user who signed in.
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
   * Stores the sign-in that the browser starts now. It is found by its `state` when the browser returns.
   * Replaces an earlier sign-in of the visit.
   */
  async leave({ orgId, id }: BrowserVisit, begun: BegunSignIn): Promise<void> {
    const secret = this.box.seal({ BEGUN: JSON.stringify(begun) }, signInVisitContext({ orgId, id }));
    await this.database.query(
      'UPDATE upstream_sign_in_visits SET state_hash = $2, secret = $3, expires_at = $4 WHERE id = $1',
      [id, sha256(begun.state), secret, new Date(this.clock.now() + LIFETIME_MS)],
    );
  }

  /**
   * Ends the visit of a browser that returns. If several requests have the same state, the first one wins.
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
