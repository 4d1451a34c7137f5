import { hash, randomBytes } from 'node:crypto';
import type { DeepPartial, FindOptionsWhere, Repository } from 'typeorm';
import { AppError } from '../../kernel/app-error';
import type { Clock } from '../../kernel/async/clock';
import { UNIQUE_VIOLATION, brokenConstraint } from '../../platform/database/faults/constraint';
import { newestFirst } from '../../platform/database/newest-first';
import { type PageInfo, type PageQuery, pageOf, pageWindow } from '../../platform/http/dto/page';
import type { Change, ChangedResource } from '../../platform/http/routes/change';
import { type ExpectedVersion, requireUnchanged } from '../../platform/http/routes/versions';

/** 43 characters of base64url carry 256 bits (contract, "Authentication"). */
const SECRET_BYTES = 32;
const SHOWN_CHARACTERS = 8;

/** Columns of each kind of secret. The text itself is never stored: only its SHA-256 and first characters. */
export interface IssuedSecret {
  id: string;
  orgId: string;
  name: string;
  /** First characters, by which people recognize it. */
  prefix: string;
  /** Subject of the admin who created it. */
  createdBy: string;
  /** null: never. */
  expiresAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
}

/** Differences between kinds of secrets. */
export interface SecretKind<Row extends IssuedSecret, View extends object> {
  /** In the audit log. */
  readonly type: ChangedResource['type'];
  /** In messages, with its article before it. */
  readonly noun: string;
  readonly article: 'a' | 'an';
  /** The beginning of each text; it differs by kind. */
  readonly start: string;
  /** The column of the SHA-256. */
  readonly digest: keyof Row & string;
  /** The index that keeps the names of those that are not revoked unique. */
  readonly nameIndex: string;
  /** The masked form, as REST and the audit log show it. */
  view(row: Row, now: number): View;
}

/**
 * Secrets of one kind that the gateway issues: API keys, SCIM tokens. Each is shown once, stored as SHA-256,
 * and ended by expiry or by an admin.
 */
export class IssuedSecrets<Row extends IssuedSecret, View extends object> {
  constructor(
    private readonly kind: SecretKind<Row, View>,
    private readonly rows: Repository<Row>,
    private readonly clock: Clock,
  ) {}

  /** The row of a text that was issued, by its digest, whatever its status; null for any other text. */
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
   * Creates a secret. Its text is in the answer and nowhere else.
   * @param own columns that only this kind has
   * @throws AppError `conflict` for the name of another one that is not revoked
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
   * Revokes a secret. It stays in the list, so that old sessions and the audit log still show what it was.
   * Idempotent. @throws AppError `not_found`, `precondition_failed`
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

/** The SHA-256 by which a text is found. */
export function secretDigest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
