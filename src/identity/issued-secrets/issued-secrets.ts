import { hash, randomBytes } from 'node:crypto';
import type { DeepPartial, FindOptionsWhere, Repository } from 'typeorm';
import { AppError } from '../../kernel/app-error';
import type { Clock } from '../../kernel/async/clock';
import { UNIQUE_VIOLATION, brokenConstraint } from '../../platform/database/faults/constraint';
import { newestFirst } from '../../platform/database/newest-first';
import { type PageInfo, type PageQuery, pageOf, pageWindow } from '../../platform/http/dto/page';
import type { Change, ChangedResource } from '../../platform/http/routes/change';
import { type ExpectedVersion, requireUnchanged } from '../../platform/http/routes/versions';

/** Number of random bytes in a secret. In base64url they are 43 characters (contract, "Authentication"). */
const SECRET_BYTES = 32;
const SHOWN_CHARACTERS = 8;

/** Columns that every kind of secret has. A secret is stored as its SHA-256 and its first characters only. */
export interface IssuedSecret {
  id: string;
  orgId: string;
  name: string;
  /** First characters of the secret, by which people recognize it. */
  prefix: string;
  /** Subject of the admin who created the secret. */
  createdBy: string;
  /** Time at which the secret expires; null: never. */
  expiresAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
}

/** Properties in which the kinds of secrets differ. */
export interface SecretKind<Row extends IssuedSecret, View extends object> {
  /** Type of the resource in the audit log. */
  readonly type: ChangedResource['type'];
  /** Name of the kind in messages; `article` comes before it. */
  readonly noun: string;
  readonly article: 'a' | 'an';
  /** Prefix of every secret of this kind. Each kind has its own prefix. */
  readonly start: string;
  /** Name of the column with the SHA-256. */
  readonly digest: keyof Row & string;
  /** Name of the unique index on the names of all secrets that are not revoked. */
  readonly nameIndex: string;
  /** Returns the masked form that REST and the audit log show. */
  view(row: Row, now: number): View;
}

/**
 * Secrets of one kind that the gateway issues, such as API keys or SCIM tokens. Each secret is shown once and
 * stored as its SHA-256. It ends when it expires or when an admin revokes it.
 */
export class IssuedSecrets<Row extends IssuedSecret, View extends object> {
  constructor(
    private readonly kind: SecretKind<Row, View>,
    private readonly rows: Repository<Row>,
    private readonly clock: Clock,
  ) {}

  /** Finds the row of an issued secret by its digest, whatever its status; null for an unknown digest. */
  find(digest: Buffer): Promise<Row | null> {
    return this.rows.findOneBy({ [this.kind.digest]: digest } as FindOptionsWhere<Row>);
  }

  async list(orgId: string, query: PageQuery): Promise<{ data: View[]; pages: PageInfo }> {
    const [rows, total] = await newestFirst(this.rows, orgId, pageWindow(query));
    const views = rows.map((row) => this.view(row));
    return pageOf(query, views, total);
  }

  /** @throws AppError `not_found` */
  async get(orgId: string, id: string): Promise<View> {
    const row = await this.rows.findOneBy({ orgId, id } as FindOptionsWhere<Row>);
    if (row === null) throw this.notFound();
    return this.view(row);
  }

  /**
   * Creates a secret. Only this answer ever contains its text.
   * @param own columns that only this kind has
   * @throws AppError `conflict` when another secret that is not revoked has this name
   */
  async create(
    change: Change,
    given: Pick<IssuedSecret, 'name' | 'expiresAt'>,
    own: DeepPartial<Row>,
  ): Promise<{ readonly view: View; readonly text: string }> {
    const text = `${this.kind.start}${randomBytes(SECRET_BYTES).toString('base64url')}`;
    const row = this.rows.create({
      ...own,
      ...given,
      orgId: change.actor.orgId,
      prefix: text.slice(0, SHOWN_CHARACTERS),
      [this.kind.digest]: secretDigest(text),
      createdBy: change.actor.subject,
      revokedAt: null,
    } as DeepPartial<Row>);
    const { type, noun, article, nameIndex } = this.kind;
    try {
      await this.rows.manager.transaction(async (db) => {
        await db.save(row);
        const after = this.view(row);
        await change.record(db, { type, id: row.id, action: 'create', before: null, after });
      });
    } catch (error) {
      if (brokenConstraint(error, UNIQUE_VIOLATION) !== nameIndex) throw error;
      throw new AppError('conflict', `${article} ${noun} named ${given.name} already exists`);
    }
    return { view: this.view(row), text };
  }

  /**
   * Revokes a secret. Its row stays in the list, so that people can still identify the secret in old sessions
   * and in the audit log. Idempotent. @throws AppError `not_found`, `precondition_failed`
   */
  async revoke(change: Change, id: string, expected: ExpectedVersion): Promise<void> {
    await this.rows.manager.transaction(async (db) => {
      const row = await db.findOne(this.rows.target, {
        where: { orgId: change.actor.orgId, id } as FindOptionsWhere<Row>,
        lock: { mode: 'for_no_key_update' },
      });
      if (row === null) throw this.notFound();
      const before = this.view(row);
      requireUnchanged(before, expected);
      row.revokedAt ??= new Date(this.clock.now());
      await db.save(row);
      const after = this.view(row);
      await change.record(db, { type: this.kind.type, id, action: 'delete', before, after });
    });
  }

  private view(row: Row): View {
    return this.kind.view(row, this.clock.now());
  }

  private notFound(): AppError {
    return new AppError('not_found', `there is no ${this.kind.noun} with this id`);
  }
}

/** Returns the SHA-256 of a secret's text, by which the row of the secret is found. */
export function secretDigest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
