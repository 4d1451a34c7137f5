import type { DataSource } from 'typeorm';
import type { SealingSettings } from '../../platform/config/groups';
import { SecretBox } from '../../platform/keys/secret-box';
import { KeyRing } from '../../platform/keys/key-ring';
import { RecordingSeal } from '../../sessions/format/chain';
import { type SealedSecrets, sealedSecrets } from './sealed-secrets';

const SECRETS_AT_ONCE = 100;
const SEALS_AT_ONCE = 500;
const LEAST_ID = '00000000-0000-0000-0000-000000000000';

/** Progress for one kind of sealed data. */
export interface Progress {
  readonly what: string;
  /** Number of rows that this run sealed again. */
  readonly done: number;
  /** Number of rows that were sealed by other keys when the run began. */
  readonly total: number;
  /** Number of rows that no given key opens. */
  readonly lost: number;
  /** Number of invalid seals. They are left unchanged, because rotation must not make them valid. */
  readonly broken: number;
}

interface SecretRow {
  org_id: string;
  id: string;
  secret: Buffer;
}

interface SealRow {
  id: string;
  chunk_count: number;
  chain_hash: Buffer;
  events_stored: string;
  event_size: string;
  seal: Buffer;
}

interface Batch extends Pick<Progress, 'done' | 'lost' | 'broken'> {
  readonly rows: number;
  /** Id of the last row of the batch. */
  readonly last: string;
}

/**
 * Seals with the first key of `SECRET_KEY` all data that its other keys have sealed. Each row is changed by
 * one statement, and only if it has not changed since it was read. So gateways may write meanwhile, and
 * the run may be stopped at any point, repeated, or run twice in parallel.
 */
export class Rotation {
  private readonly box: SecretBox;
  private readonly seal: RecordingSeal;
  private readonly keyId: Buffer;

  /** @param reportProgress called after each batch. */
  constructor(
    private readonly db: DataSource,
    settings: SealingSettings,
    private readonly signal: AbortSignal,
    private readonly reportProgress: (progress: Progress) => void,
  ) {
    this.box = new SecretBox(settings);
    this.seal = new RecordingSeal(settings);
    this.keyId = Buffer.from(new KeyRing(settings.keys).current.id, 'hex');
  }

  /** Runs once over all data. Ends early when the signal aborts. */
  async run(): Promise<Progress[]> {
    const all: Progress[] = [];
    for (const sealed of sealedSecrets)
      all.push(
        await this.walk(sealed.table, await this.countSecrets(sealed.table), (after) =>
          this.secrets(sealed, after),
        ),
      );
    all.push(await this.walk('recordings', await this.countSeals(), (after) => this.seals(after)));
    return all;
  }

  private async walk(
    what: string,
    total: number,
    batch: (after: string) => Promise<Batch>,
  ): Promise<Progress> {
    let progress: Progress = { what, done: 0, total, lost: 0, broken: 0 };
    for (let [after, isMore] = [LEAST_ID, total > 0]; isMore && !this.signal.aborted;) {
      const { rows, last, done, lost, broken } = await batch(after);
      progress = {
        ...progress,
        done: progress.done + done,
        lost: progress.lost + lost,
        broken: progress.broken + broken,
      };
      [after, isMore] = [last, rows > 0];
      if (isMore) this.reportProgress(progress);
    }
    return progress;
  }

  private async secrets({ table, context, isOfGateways }: SealedSecrets, after: string): Promise<Batch> {
    const organization = isOfGateways === true ? `'${LEAST_ID}'` : 'org_id';
    const rows = await this.db.query<SecretRow[]>(
      `SELECT ${organization} AS org_id, id, secret FROM ${table} WHERE id > $1 AND substring(secret FROM 2 FOR 4) <> $2
       ORDER BY id LIMIT ${SECRETS_AT_ONCE}`,
      [after, this.keyId],
    );
    let [done, lost] = [0, 0];
    for (const { org_id: orgId, id, secret } of rows) {
      const fresh = this.renewed(secret, context({ orgId, id }));
      if (fresh === undefined) lost += 1;
      else
        done += await this.change(`UPDATE ${table} SET secret = $1 WHERE id = $2 AND secret = $3`, [
          fresh,
          id,
          secret,
        ]);
    }
    return { rows: rows.length, last: rows.at(-1)?.id ?? after, done, lost, broken: 0 };
  }

  private renewed(secret: Buffer, context: string): Buffer | undefined {
    try {
      return this.box.seal(this.box.open(secret, context), context);
    } catch {
      return undefined;
    }
  }

  private async seals(after: string): Promise<Batch> {
    const rows = await this.db.query<SealRow[]>(
      `SELECT id, chunk_count, chain_hash, events_stored, event_size, seal FROM sessions
       WHERE id > $1 AND ${OTHER_SEAL} ORDER BY id LIMIT ${SEALS_AT_ONCE}`,
      [after, this.keyId],
    );
    const counts = { lost: 0, broken: 0 };
    const fitting = rows.flatMap((row) => {
      const end = {
        sessionId: row.id,
        chunkCount: row.chunk_count,
        chainHash: row.chain_hash,
        eventsStored: Number(row.events_stored),
        eventSize: Number(row.event_size),
      };
      const { state } = this.seal.check(row.seal, end);
      if (state === 'fits') return [{ id: row.id, old: row.seal, fresh: this.seal.of(end) }];
      counts[state === 'broken' ? 'broken' : 'lost'] += 1;
      return [];
    });
    const done = await this.change(
      `UPDATE sessions AS session SET seal = decode(fresh, 'hex')
       FROM unnest($1::uuid[], $2::text[], $3::text[]) AS renewed (id, old, fresh)
       WHERE session.id = renewed.id AND session.seal = decode(old, 'hex')`,
      [
        fitting.map(({ id }) => id),
        fitting.map(({ old }) => old.toString('hex')),
        fitting.map(({ fresh }) => fresh.toString('hex')),
      ],
    );
    return { rows: rows.length, last: rows.at(-1)?.id ?? after, done, ...counts };
  }

  /** Returns the number of changed rows. */
  private async change(sql: string, values: unknown[]): Promise<number> {
    const [, changed] = await this.db.query<[unknown[], number]>(sql, values);
    return changed;
  }

  private async countSecrets(table: string): Promise<number> {
    return this.count(`${table} WHERE substring(secret FROM 2 FOR 4) <> $1`);
  }

  private async countSeals(): Promise<number> {
    return this.count(`sessions WHERE ${OTHER_SEAL.replace('$2', '$1')}`);
  }

  private async count(from: string): Promise<number> {
    const [row] = await this.db.query<{ count: number }[]>(`SELECT count(*)::int AS count FROM ${from}`, [
      this.keyId,
    ]);
    return row?.count ?? 0;
  }
}

/** Condition for seals by other keys; for the layout see `KeyedSeal`. Older seals contain no key id. */
const OTHER_SEAL = `(seal IS NOT NULL AND (length(seal) <> 37 OR substring(seal FROM 2 FOR 4) <> $2))`;
