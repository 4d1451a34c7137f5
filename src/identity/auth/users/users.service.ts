import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { type EntityManager, Repository } from 'typeorm';
import { ChangeFeed } from '../../../platform/database/feed/change-feed';
import { AppError } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';
import { OrganizationsService } from '../organization/organizations.service';
import { Roles } from './roles';
import { User, UserGroup } from './user.entity';
import { entriesAtMost } from '../../../kernel/runtime/entries-at-most';

const CACHED_PRINCIPALS = 10_000;

/** Loads users as principals, with a cache. */
@Injectable()
export class UsersService {
  private readonly principals = new LRUCache<string, Principal>(entriesAtMost(CACHED_PRINCIPALS));
  /** Counts changes. A row is cached only if no change was announced while the row was read. */
  private epoch = 0;

  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly organizations: OrganizationsService,
    private readonly roles: Roles,
    private readonly feed: ChangeFeed,
  ) {
    feed.subscribe({
      changed: (table, id) => {
        if (table !== 'users' && table !== 'user_groups') return;
        // An empty id stands for a change of the whole table.
        if (id === '') this.forgetAll();
        else this.forget(id);
      },
      reset: () => this.forgetAll(),
    });
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

  /**
   * Removes a user from the cache after a change by this process. The change feed announces the change too,
   * but maybe only after the request was answered.
   */
  forget(userId: string): void {
    this.epoch += 1;
    this.principals.delete(userId);
  }

  private forgetAll(): void {
    this.epoch += 1;
    this.principals.clear();
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

  /** The user's current e-mail address, even if the user may no longer act; empty where there is none. */
  async emailOf(db: EntityManager, orgId: string, subject: string): Promise<string> {
    return (await db.findOneBy(User, { orgId, subject }))?.email ?? '';
  }

  /** Returns the ids of the users with this subject or, if there is none, of the users with this e-mail. */
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
}
