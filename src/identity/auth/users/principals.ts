import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';
import { satisfies } from '../../../platform/http/routes/access';
import { RegisteredKeys } from './registered-keys';
import { ApiKeysService } from './api-keys.service';
import { UsersService } from './users.service';

/** The name of a person or a machine; `id` is the subject. */
export interface CalledBy {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** The interface of the Auth module for modules that keep a principal for longer than one request. */
@Injectable()
export class Principals {
  constructor(
    private readonly users: UsersService,
    private readonly keys: ApiKeysService,
    private readonly publicKeys: RegisteredKeys,
  ) {}

  /**
   * Returns the person or machine in its current state.
   * @throws AppError `unauthenticated` when it is no longer allowed to act, or when the public key by which
   * the person signed in has ended.
   */
  async current({
    identityType,
    userId,
    publicKeyId,
  }: Pick<Principal, 'identityType' | 'userId' | 'publicKeyId'>): Promise<Principal> {
    if (publicKeyId !== undefined) return this.publicKeys.principal(publicKeyId);
    return identityType === 'machine' ? this.keys.principal(userId) : this.users.principal(userId);
  }

  /** Returns a principal's current name, even if it may no longer act; undefined when its row was deleted. */
  async called(
    db: EntityManager,
    { orgId, identityType, userId }: Pick<Principal, 'orgId' | 'identityType' | 'userId'>,
  ): Promise<CalledBy | undefined> {
    return identityType === 'machine'
      ? this.keys.called(db, orgId, userId)
      : this.users.called(db, orgId, userId);
  }

  /**
   * Returns the subject of the person who is responsible for a principal: the user, or the person who
   * created the API key, directly or by another API key.
   */
  async personBehind({ identityType, orgId, userId, subject }: Principal): Promise<string> {
    return identityType === 'user' ? subject : this.keys.madeBy(orgId, userId);
  }

  /** The current e-mail address of a person; empty where there is none. */
  emailOf(db: EntityManager, orgId: string, subject: string): Promise<string> {
    return this.users.emailOf(db, orgId, subject);
  }

  /**
   * Returns the user whose resources the actor wants to see: the actor, or for auditors and admins the user
   * with this subject or e-mail. @throws AppError `forbidden`, and the errors of `find`
   */
  async askedAbout(actor: Principal, name: string | undefined): Promise<Principal> {
    const mayReadAll = satisfies(actor.role, 'auditor');
    if (name === undefined || (!mayReadAll && (name === actor.subject || name === actor.email))) return actor;
    if (!mayReadAll)
      throw new AppError('forbidden', 'only auditors and admins may ask about others; leave out "user"');
    return (await this.find(actor.orgId, name)).principal;
  }

  /** Finds a user by subject or e-mail. @throws AppError `not_found`; `conflict` if several users match. */
  async find(orgId: string, subjectOrEmail: string): Promise<{ principal: Principal; isActive: boolean }> {
    const ids = await this.users.find(orgId, subjectOrEmail);
    if (ids.length > 1) throw new AppError('conflict', 'several users have this e-mail; use the id of one');
    const [id] = ids;
    if (id === undefined) throw new AppError('not_found', 'there is no such user');
    return this.users.readPrincipal(orgId, id);
  }
}
