import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { RoleSettings } from '../../../platform/config/groups';
import type { Profile } from '../provider/claims';
import { OrganizationsService } from '../organization/organizations.service';
import { ProvisionedAccess } from './provisioned-access';
import { User } from './user.entity';
import { UsersService } from './users.service';

/** Signs users up at their first sign-in, and sets their groups from the identity provider and SCIM. */
@Injectable()
export class SignedInUsers {
  private readonly log = new Logger(SignedInUsers.name);

  constructor(
    @InjectRepository(User) private readonly rows: Repository<User>,
    private readonly organizations: OrganizationsService,
    private readonly provisioned: ProvisionedAccess,
    private readonly users: UsersService,
    private readonly settings: RoleSettings,
  ) {}

  /**
   * Records a sign-in: signs up an unknown subject, and updates the profile and the groups. While the admin
   * group is empty, a user whose verified e-mail is in `ADMIN_EMAILS` becomes the first admin. Returns the
   * user's id.
   */
  async signIn(profile: Profile): Promise<string> {
    const { id: orgId } = await this.organizations.defaultOrganization();
    const userId = await this.rows.manager.transaction(async (db) => {
      const mayBeFirstAdmin = this.isListedAdmin(profile);
      // Locks the organization, because otherwise two concurrent sign-ins would both find no admin. A
      // transaction that locks the organization and a user always locks the organization first.
      if (mayBeFirstAdmin) await lockOrganization(db, orgId);
      // Called before the user is locked, because it waits for concurrent SCIM writes.
      const link = await this.provisioned.find(db, orgId, profile);
      const user = await this.upsert(db, orgId, profile);
      const { groups } = profile;
      const isNewer = user.groupsSyncedAt === null || profile.issuedAt >= user.groupsSyncedAt;
      if (groups !== undefined && isNewer) await this.syncGroups(db, user, groups, profile.issuedAt);
      if (link !== undefined) await this.provisioned.link(db, user, link);
      if (mayBeFirstAdmin) await this.bootstrapAdmin(db, user, profile);
      return user.id;
    });
    this.users.forget(userId);
    return userId;
  }

  /** Creates or updates the user. Locks the row, so that concurrent sign-ins of one person are serialized. */
  private async upsert(db: EntityManager, orgId: string, profile: Profile): Promise<User> {
    await db.query(
      `INSERT INTO users (org_id, subject, email, name) VALUES ($1, $2, $3, $4)
       ON CONFLICT ON CONSTRAINT users_subject_unique DO NOTHING`,
      [orgId, profile.subject, profile.email ?? '', profile.name ?? profile.email ?? profile.subject],
    );
    const user = await db.findOneOrFail(User, {
      where: { orgId, subject: profile.subject },
      lock: { mode: 'for_no_key_update' },
    });
    const email = profile.email ?? user.email;
    const name = profile.name ?? user.name;
    if (email !== user.email || name !== user.name)
      await db.update(User, { orgId, id: user.id }, { email, name });
    return user;
  }

  private async syncGroups(
    db: EntityManager,
    user: User,
    groups: readonly string[],
    at: Date,
  ): Promise<void> {
    const key = [user.orgId, user.id, groups];
    await db.query(
      `DELETE FROM user_groups WHERE org_id = $1 AND user_id = $2 AND source = 'idp' AND group_name <> ALL ($3)`,
      key,
    );
    await db.query(
      `INSERT INTO user_groups (org_id, user_id, group_name, source)
       SELECT $1, $2, unnest($3::text[]), 'idp' ON CONFLICT ON CONSTRAINT user_groups_pk DO NOTHING`,
      key,
    );
    await db.query('UPDATE users SET groups_synced_at = $3 WHERE org_id = $1 AND id = $2', [
      user.orgId,
      user.id,
      at,
    ]);
  }

  private isListedAdmin({ email, emailVerified }: Profile): boolean {
    const address = email?.toLowerCase();
    return emailVerified && this.settings.adminEmails.some((it) => it.toLowerCase() === address);
  }

  private async bootstrapAdmin(db: EntityManager, user: User, profile: Profile): Promise<void> {
    if (user.status !== 'active') return;
    const inserted = await db.query<unknown[]>(
      `INSERT INTO user_groups (org_id, user_id, group_name, source)
       SELECT $1, $2, $3, 'manual'
       WHERE NOT EXISTS (SELECT 1 FROM user_groups WHERE org_id = $1 AND group_name = $3)
       RETURNING user_id`,
      [user.orgId, user.id, this.settings.adminGroup],
    );
    if (inserted.length > 0) this.log.log(`${profile.email} is the first admin (ADMIN_EMAILS)`);
  }
}

/** Locks less than FOR UPDATE, so that inserts of rows that reference the organization do not wait. */
async function lockOrganization(db: EntityManager, orgId: string): Promise<void> {
  await db.query('SELECT id FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [orgId]);
}
