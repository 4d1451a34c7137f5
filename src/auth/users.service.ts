import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { type EntityManager, Repository } from 'typeorm';
import { RoleSettings } from '../config/groups';
import { ChangeFeed } from '../database/change-feed';
import { AppError } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';
import type { Profile } from './claims';
import { OrganizationsService } from './organizations.service';
import { Roles } from './roles';
import { User, UserGroup } from './user.entity';
import { entriesAtMost } from '../kernel/entries-at-most';

const CACHED_PRINCIPALS = 10_000;

/** Users. They are signed up at their first sign-in, and their groups follow the identity provider. */
@Injectable()
export class UsersService {
  private readonly log = new Logger(UsersService.name);
  private readonly principals = new LRUCache<string, Principal>(entriesAtMost(CACHED_PRINCIPALS));
  /** Increases with every change notification. A row that was read before a change must not be cached after it. */
  private epoch = 0;

  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly organizations: OrganizationsService,
    private readonly roles: Roles,
    private readonly settings: RoleSettings,
    private readonly feed: ChangeFeed,
  ) {
    feed.subscribe({
      changed: (table, id) => {
        if (table === 'users' || table === 'user_groups') this.forget(id);
      },
      reset: () => {
        this.epoch += 1;
        this.principals.clear();
      },
    });
  }

  /**
   * Records a sign-in: signs up an unknown subject, updates the profile and the groups,
   * and makes the first of `ADMIN_EMAILS` an admin. Returns the user's id.
   */
  async signIn(profile: Profile): Promise<string> {
    const { id: orgId } = await this.organizations.defaultOrganization();
    const userId = await this.users.manager.transaction(async (db) => {
      const mayBeFirstAdmin = this.isListedAdmin(profile);
      // Serialized: two first admins at once would both find none. Locked before the user, as in every transaction.
      if (mayBeFirstAdmin) await lockOrganization(db, orgId);
      const user = await this.upsert(db, orgId, profile);
      const { groups } = profile;
      const isNewer = user.groupsSyncedAt === null || profile.issuedAt >= user.groupsSyncedAt;
      if (groups !== undefined && isNewer) await this.syncGroups(db, user, groups, profile.issuedAt);
      if (mayBeFirstAdmin) await this.bootstrapAdmin(db, user, profile);
      return user.id;
    });
    // The change feed announces it too, but possibly only after this request was answered.
    this.forget(userId);
    return userId;
  }

  /** The principal of a user. @throws AppError `unauthenticated` for an unknown or inactive user. */
  async principal(userId: string): Promise<Principal> {
    const cached = this.feed.live ? this.principals.get(userId) : undefined;
    if (cached !== undefined) return cached;
    const epoch = this.epoch;
    const { id: orgId } = await this.organizations.defaultOrganization();
    const user = await this.users.findOneBy({ orgId, id: userId });
    if (user === null) throw new AppError('unauthenticated', 'this user no longer exists');
    if (user.status === 'inactive') throw new AppError('unauthenticated', 'this user is inactive');
    const principal = await this.asPrincipal(user);
    if (epoch === this.epoch && this.feed.live) this.principals.set(userId, principal);
    return principal;
  }

  private forget(userId: string): void {
    this.epoch += 1;
    this.principals.delete(userId);
  }

  /** A user's principal, active or not, for callers that only read. */
  async readPrincipal(orgId: string, id: string): Promise<{ principal: Principal; isActive: boolean }> {
    const user = await this.users.findOneByOrFail({ orgId, id });
    return { principal: await this.asPrincipal(user), isActive: user.status === 'active' };
  }

  async called(
    db: EntityManager,
    orgId: string,
    id: string,
  ): Promise<{ id: string; email: string; name: string } | undefined> {
    const user = await db.findOneBy(User, { orgId, id });
    return user === null ? undefined : { id: user.subject, email: user.email, name: user.name };
  }

  /** Ids of the users with that subject; if there is none, of those with that e-mail. */
  async find(orgId: string, subjectOrEmail: string): Promise<string[]> {
    const bySubject = await this.users.findBy({ orgId, subject: subjectOrEmail });
    const found = bySubject.length > 0 ? bySubject : await this.byEmail(orgId, subjectOrEmail);
    return found.map((user) => user.id);
  }

  private byEmail(orgId: string, email: string): Promise<User[]> {
    return this.users
      .createQueryBuilder('person')
      .where('person.org_id = :orgId AND lower(person.email) = lower(:email)', { orgId, email })
      .getMany();
  }

  private async asPrincipal(user: User): Promise<Principal> {
    const rows = await this.users.manager.findBy(UserGroup, { orgId: user.orgId, userId: user.id });
    const groups = [...new Set(rows.map((row) => row.groupName))].sort();
    return {
      orgId: user.orgId,
      userId: user.id,
      subject: user.subject,
      email: user.email,
      name: user.name,
      groups,
      role: this.roles.of(groups),
      identityType: 'user',
    };
  }

  /** Locks the row, so that concurrent sign-ins of one person are serialized. */
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

/** A weaker lock mode than FOR UPDATE, so that foreign keys of new rows need not wait. */
async function lockOrganization(db: EntityManager, orgId: string): Promise<void> {
  await db.query('SELECT id FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [orgId]);
}
