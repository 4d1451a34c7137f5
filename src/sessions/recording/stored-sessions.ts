import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { PlainRows } from '../../platform/database/plain-rows';
import { queryPool } from '../../platform/database/pools/query-pool';
import { ReadGroups } from '../../platform/database/pools/read-groups';
import { SessionRow } from './session.entity';

/** Chunks that are read together with the row of their session. */
const FIRST_CHUNKS = 8;
/** Sessions in one statement at most: their first chunks may be half a megabyte each. */
const TOGETHER = 8;
/** Statements at the same time. */
const AT_ONCE = 2;

/** The beginning of a recording, as it was when the row of its session was read. */
export interface FirstChunks {
  /** Payloads as they are stored, from number 1 on. */
  readonly payloads: readonly Buffer[];
  /** Whether there are no others. */
  readonly complete: boolean;
}

/** A session with what was read in the same statement. */
export interface StoredSession {
  readonly session: SessionRow;
  /** The value of the question's `fact`. */
  readonly fact: boolean;
  /** undefined where they were not asked for. */
  readonly first: FirstChunks | undefined;
}

/** Parts of a session to read. */
export interface SessionQuestion {
  readonly orgId: string;
  readonly id: string;
  /** A condition on the session, `s`, in SQL of the module that knows. It takes no parameters. */
  readonly fact: string;
  readonly withChunks: boolean;
}

/** Reads single sessions: those of concurrent requests in one statement. */
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

  /** @param questions of one organization, with the same fact, with or without chunks */
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
    // Callers that ask for one session have entities of their own, with the same JSON values.
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
  /** Not in the array: it may have megabytes. */
  readonly script: string | null;
  readonly fact: boolean;
  /** In hex, separated by commas; null without any. */
  readonly chunks?: string | null;
}

/** The chunks are those of the parameter, so that the planner opens their months only. */
function statementOf(session: string, fact: string, withChunks: boolean, isOne: boolean): string {
  const are = isOne ? '= $2' : '= ANY ($2::uuid[])';
  const chunks = `LEFT JOIN (SELECT c.session_id, string_agg(encode(c.payload, 'hex'), ',' ORDER BY c.seq) AS chunks
    FROM session_chunks AS c WHERE c.org_id = $1 AND c.session_id ${are} AND c.seq BETWEEN 1 AND ${FIRST_CHUNKS}
    GROUP BY c.session_id) AS recorded ON recorded.session_id = s.id`;
  return `SELECT s.id, ${session} AS session, s.script, (${fact}) AS fact${withChunks ? ', recorded.chunks' : ''}
    FROM sessions AS s ${withChunks ? chunks : ''} WHERE s.org_id = $1 AND s.id ${are}`;
}

/**
 * Chunks that the row counts but that are missing may be in object storage: the result is then not complete.
 */
function chunksOf({ chunks }: Row, count: number): FirstChunks {
  const payloads = chunks ? chunks.split(',').map((hex) => Buffer.from(hex, 'hex')) : [];
  return { payloads, complete: payloads.length < FIRST_CHUNKS && payloads.length >= count };
}
