import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { PlainRows } from '../../platform/database/plain-rows';
import { queryPool } from '../../platform/database/pools/query-pool';
import { ReadGroups } from '../../platform/database/pools/read-groups';
import { SessionRow } from './session.entity';

/** Number of chunks that are read together with the row of their session. */
const FIRST_CHUNKS = 8;
/** Maximum sessions in one statement. It is low, because each first chunk may be half a megabyte as hex. */
const TOGETHER = 8;
/** Maximum statements that run in parallel. */
const AT_ONCE = 2;

/** The beginning of a recording, as it was when the row of its session was read. */
export interface FirstChunks {
  /** Stored payloads of the chunks, beginning with chunk 1. */
  readonly payloads: readonly Buffer[];
  /** Whether the recording has no other chunks. */
  readonly complete: boolean;
}

/** A session with the other values that were read in the same statement. */
export interface StoredSession {
  readonly session: SessionRow;
  /** Result of the condition `SessionQuestion.fact`. */
  readonly fact: boolean;
  /** First chunks of the recording; undefined if not requested. */
  readonly first: FirstChunks | undefined;
}

/** Selects a session and the values to read with it. */
export interface SessionQuestion {
  readonly orgId: string;
  readonly id: string;
  /** SQL condition on the session, alias `s`, without parameters. The caller's module defines it. */
  readonly fact: string;
  readonly withChunks: boolean;
}

/** Reads single sessions. Concurrent requests share a statement. */
@Injectable()
export class StoredSessions {
  private readonly statements = new Map<string, string>();
  private readonly groups = new ReadGroups<SessionQuestion, StoredSession | undefined>({
    atMost: TOGETHER,
    atOnce: AT_ONCE,
    queueOf: ({ orgId, fact, withChunks }) => `${orgId} ${withChunks} ${fact}`,
    read: (questions) => this.read(questions),
  });
  private plain: PlainRows<SessionRow> | undefined;

  constructor(@InjectRepository(SessionRow) private readonly sessions: Repository<SessionRow>) {}

  find(question: SessionQuestion): Promise<StoredSession | undefined> {
    return this.groups.ask(question);
  }

  /** @param questions all with the same organization, `fact` and `withChunks` */
  private async read(questions: readonly SessionQuestion[]): Promise<(StoredSession | undefined)[]> {
    const [{ orgId, fact, withChunks } = NOTHING] = questions;
    const ids = [...new Set(questions.map(({ id }) => id))];
    const plain = (this.plain ??= new PlainRows<SessionRow>(this.sessions.metadata, 's', ['script']));
    const key = `${ids.length === 1} ${withChunks} ${fact}`;
    const statement =
      this.statements.get(key) ?? statementOf(plain.array, fact, withChunks, ids.length === 1);
    this.statements.set(key, statement);
    const rows = await queryPool<Row>(this.sessions.manager.dataSource, statement, [
      orgId,
      ids.length === 1 ? ids[0] : ids,
    ]);
    const found = new Map(rows.map((row) => [row.id, row]));
    // Each caller gets its own entity of the session; the JSON values in it are shared.
    return questions.map(({ id }) => {
      const row = found.get(id);
      if (row === undefined) return undefined;
      const session = plain.entity(row.session, { script: row.script });
      return { session, fact: row.fact, first: withChunks ? chunksOf(row, session.chunkCount) : undefined };
    });
  }
}

const NOTHING = { orgId: '', fact: '', withChunks: false };

interface Row {
  readonly id: string;
  readonly session: readonly unknown[];
  /** Script of the session; not among the values of `session`, because it may have megabytes. */
  readonly script: string | null;
  readonly fact: boolean;
  /** Payloads in hex, separated by commas; null if there are no chunks. */
  readonly chunks?: string | null;
}

/** Returns SQL. It filters chunks by the id parameter, so that the planner opens only their partitions. */
function statementOf(session: string, fact: string, withChunks: boolean, isOne: boolean): string {
  const are = isOne ? '= $2' : '= ANY ($2::uuid[])';
  const chunks = `LEFT JOIN (SELECT c.session_id, string_agg(encode(c.payload, 'hex'), ',' ORDER BY c.seq) AS chunks
    FROM session_chunks AS c WHERE c.org_id = $1 AND c.session_id ${are} AND c.seq BETWEEN 1 AND ${FIRST_CHUNKS}
    GROUP BY c.session_id) AS recorded ON recorded.session_id = s.id`;
  return `SELECT s.id, ${session} AS session, s.script, (${fact}) AS fact${withChunks ? ', recorded.chunks' : ''}
    FROM sessions AS s ${withChunks ? chunks : ''} WHERE s.org_id = $1 AND s.id ${are}`;
}

/**
 * Returns the first chunks. `complete` is false if the row counts more chunks than were read, because object
 * storage may have them.
 */
function chunksOf({ chunks }: Row, count: number): FirstChunks {
  const payloads = chunks ? chunks.split(',').map((hex) => Buffer.from(hex, 'hex')) : [];
  return { payloads, complete: payloads.length < FIRST_CHUNKS && payloads.length >= count };
}
