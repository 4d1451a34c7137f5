import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Repository } from 'typeorm';
import { RoleSettings } from '../../../platform/config/groups';
import { UNIQUE_VIOLATION, brokenConstraint } from '../../../platform/database/faults/constraint';
import { newestFirst } from '../../../platform/database/newest-first';
import type { Change } from '../../../platform/http/routes/change';
import { pageOf, pageWindow } from '../../../platform/http/dto/page';
import { type ExpectedVersion, requireUnchanged } from '../../../platform/http/routes/versions';
import { AppError } from '../../../kernel/app-error';
import { requireAnAdmin } from './last-admin';
import { Roles } from './roles';
import {
  type UserBody,
  type UserChangeBody,
  type UserPage,
  type UserQuery,
  type UserView,
  userView,
} from './user.dto';
import { User, UserGroup } from './user.entity';

const TYPE = 'users';

/** User administration for admins. There is always at least one active admin. */
@Injectable()
export class UserAdministrationService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly roles: Roles,
    private readonly settings: RoleSettings,
  ) {}

  async list(orgId: string, query: UserQuery): Promise<UserPage> {
    const [users, total] = await newestFirst(this.users, orgId, pageWindow(query), (rows) => {
      if (query.search === undefined) return;
      const part = `%${query.search.replaceAll(/[\\%_]/g, '\\$&')}%`;
      const fields = ['email', 'name', 'subject'].map((field) => `listed.${field} ILIKE :part`);
      rows.andWhere(`(${fields.join(' OR ')})`, { part });
    });
    return pageOf(query, await this.views(this.users.manager, orgId, users), total);
  }

  async get(orgId: string, subject: string): Promise<UserView> {
    const user = await this.users.findOneBy({ orgId, subject });
    if (user === null) throw notFound();
    return this.view(this.users.manager, user);
  }

  /** Creates a user before the first sign-in, which finds the row by its subject. */
  async create(change: Change, body: UserBody): Promise<UserView> {
    const { orgId } = change.actor;
    const { id: subject, email } = body;
    const user = this.users.create({
      orgId,
      subject,
      email,
      name: body.name ?? email,
      status: body.status ?? 'active',
      groupsSyncedAt: null,
      matchKey: null,
    });
    try {
      return await this.users.manager.transaction(async (db) => {
        await db.save(user);
        await this.setGroups(db, user, body.groups ?? []);
        const after = await this.view(db, user);
        await change.record(db, { type: TYPE, id: subject, action: 'create', before: null, after });
        return after;
      });
    } catch (error) {
      if (brokenConstraint(error, UNIQUE_VIOLATION) !== 'users_subject_unique') throw error;
      throw new AppError('conflict', 'a user with this id already exists');
    }
  }

  async update(
    change: Change,
    subject: string,
    expected: ExpectedVersion,
    body: UserChangeBody,
  ): Promise<UserView> {
    return this.users.manager.transaction(async (db) => {
      const user = await this.lock(db, change.actor.orgId, subject);
      const before = await this.view(db, user);
      requireUnchanged(before, expected);
      await db.save(
        Object.assign(user, {
          status: body.status ?? user.status,
          name: body.name ?? user.name,
          updatedAt: new Date(),
        }),
      );
      if (body.groups !== undefined) await this.setGroups(db, user, body.groups);
      const after = await this.view(db, user);
      if (before.role === 'admin') await requireAnAdmin(db, user.orgId, this.settings.adminGroup);
      await change.record(db, { type: TYPE, id: subject, action: 'update', before, after });
      return after;
    });
  }

  async remove(change: Change, subject: string, expected: ExpectedVersion): Promise<void> {
    await this.users.manager.transaction(async (db) => {
      const user = await this.lock(db, change.actor.orgId, subject);
      const before = await this.view(db, user);
      requireUnchanged(before, expected);
      await db.delete(User, { orgId: user.orgId, id: user.id });
      if (before.role === 'admin') await requireAnAdmin(db, user.orgId, this.settings.adminGroup);
      await change.record(db, { type: TYPE, id: subject, action: 'delete', before, after: null });
    });
  }

  /** Locks the organization, because two admins who remove each other concurrently must not both succeed. */
  private async lock(db: EntityManager, orgId: string, subject: string): Promise<User> {
    await db.query('SELECT id FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [orgId]);
    const user = await db.findOne(User, { where: { orgId, subject }, lock: { mode: 'for_no_key_update' } });
    if (user === null) throw notFound();
    return user;
  }

  private async setGroups(db: EntityManager, user: User, groups: readonly string[]): Promise<void> {
    const { orgId, id: userId } = user;
    await db.delete(UserGroup, { orgId, userId, source: 'manual' });
    const rows = [...new Set(groups)].map((groupName) => ({
      orgId,
      userId,
      groupName,
      source: 'manual' as const,
    }));
    if (rows.length > 0) await db.insert(UserGroup, rows);
  }

  private async view(db: EntityManager, user: User): Promise<UserView> {
    const [view] = await this.views(db, user.orgId, [user]);
    if (view === undefined) throw notFound();
    return view;
  }

  private async views(db: EntityManager, orgId: string, users: readonly User[]): Promise<UserView[]> {
    const ids = users.map((user) => user.id);
    const memberships = ids.length === 0 ? [] : await db.findBy(UserGroup, { orgId, userId: In(ids) });
    const byUser = new Map<string, UserGroup[]>(ids.map((id) => [id, []]));
    for (const membership of memberships) byUser.get(membership.userId)?.push(membership);
    return users.map((user) => {
      const own = byUser.get(user.id) ?? [];
      return userView(user, own, this.roles.of(own.map((membership) => membership.groupName)));
    });
  }
}

function notFound(): AppError {
  return new AppError('not_found', 'there is no user with this id');
}
