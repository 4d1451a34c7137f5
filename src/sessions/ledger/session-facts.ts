import type { EntityMetadata } from 'typeorm';
import type { ChainEnd } from '../format/chain';
import type { SessionRow } from '../recording/session.entity';
import type { LedgerDatabase } from './ledger-database';
import type { Values } from './ledger-entry';
import { sealedColumns } from './sealed-columns';

/** The row of a session in the form in which the ledger seals it. */
export interface SessionFacts {
  readonly orgId: string;
  readonly id: string;
  readonly isOver: boolean;
  readonly credentialId: string | null;
  /** Columns sealed from the first entry on, which never change. */
  readonly start: Values;
  /** All sealed columns except `content`, and the parts of `content` that outlive the recording. */
  readonly whole: Values;
  readonly content: Readonly<Record<string, string | null>>;
  /** Whether the row still has texts that a rule or an analysis quoted from the session. */
  readonly quotes: boolean;
  readonly end: ChainEnd;
  readonly seal: Buffer | null;
}

interface FactsRow {
  org_id: string;
  id: string;
  status: SessionRow['status'];
  credential_id: string | null;
  start: Values;
  whole: Values;
  content: Record<string, string | null>;
  quotes: boolean;
  chunk_count: number;
  chain_hash: Buffer;
  events_stored: string;
  event_size: string;
  seal: Buffer | null;
}

/** Maximum name-value pairs in one call, because a PostgreSQL function has at most 100 arguments. */
const PAIRS_AT_ONCE = 40;

/** Parts of content columns that stay when a recording is removed: the verdicts, without quoted texts. */
const kept: Readonly<Record<string, string>> = {
  guardrails_info: `(SELECT coalesce(jsonb_agg(hit - 'matched_words' - 'matches' ORDER BY place), '[]')
    FROM jsonb_array_elements(guardrails_info) WITH ORDINALITY AS found (hit, place))`,
  ai_analysis: `ai_analysis - 'title' - 'explanation'`,
};

const QUOTES = `(jsonb_path_exists(guardrails_info, '$[*].matched_words[*]')
  OR jsonb_path_exists(guardrails_info, '$[*].matches[*]')
  OR coalesce(ai_analysis ->> 'title', '') <> '' OR coalesce(ai_analysis ->> 'explanation', '') <> '')`;

/** Reads rows of sessions in the form that the ledger seals: times to the microsecond, bytes in hex. */
export class FactsReader {
  private readonly select: string;

  constructor(private readonly metadata: EntityMetadata) {
    const start = this.pairs(sealedColumns('start'));
    const whole = this.pairs(sealedColumns('start', 'end', 'recording', 'metadata', 'hold', 'removal'));
    const said = this.named(sealedColumns('content'));
    const leftovers = Object.entries(kept).map(([name, sql]) => `'${name}', ${sql}`);
    this.select = `SELECT org_id, id, status, credential_id, chunk_count, chain_hash, events_stored, event_size, seal,
      ${objectOf(start)} AS start, ${objectOf([...whole, ...leftovers])} AS whole,
      ${objectOf(said.map((name) => `'${name}', ${digestOf(name)}`))} AS content, ${QUOTES} AS quotes FROM sessions`;
  }

  async read(db: LedgerDatabase, orgId: string, ids: readonly string[]): Promise<Map<string, SessionFacts>> {
    if (ids.length === 0) return new Map();
    const rows = await db.query<FactsRow>(`${this.select} WHERE org_id = $1 AND id = ANY ($2::uuid[])`, [
      orgId,
      ids,
    ]);
    return new Map(rows.map((row) => [row.id, factsOf(row)]));
  }

  /** The values of the given columns. */
  among(values: Values, columns: readonly (keyof SessionRow)[]): Values {
    const names = new Set(this.named(columns));
    return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
  }

  private named(columns: readonly (keyof SessionRow)[]): string[] {
    return columns.map((column) => this.columnOf(column).databaseName);
  }

  private pairs(columns: readonly (keyof SessionRow)[]): string[] {
    return columns.map((column) => {
      const { databaseName: name, type } = this.columnOf(column);
      if (type === 'timestamptz')
        return `'${name}', to_char(${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
      return type === 'bytea' ? `'${name}', encode(${name}, 'hex')` : `'${name}', ${name}`;
    });
  }

  private columnOf(column: keyof SessionRow) {
    const found = this.metadata.findColumnWithPropertyName(column);
    if (found === undefined) throw new Error(`sessions have no column for ${column}`);
    return found;
  }
}

function objectOf(pairs: readonly string[]): string {
  const parts: string[] = [];
  for (let at = 0; at < pairs.length; at += PAIRS_AT_ONCE)
    parts.push(`jsonb_build_object(${pairs.slice(at, at + PAIRS_AT_ONCE).join(', ')})`);
  return parts.join(' || ');
}

function digestOf(column: string): string {
  return `encode(sha256(content_salt || convert_to(${column}::text, 'UTF8')), 'hex')`;
}

function factsOf(row: FactsRow): SessionFacts {
  return {
    orgId: row.org_id,
    id: row.id,
    isOver: row.status === 'done',
    credentialId: row.credential_id,
    start: row.start,
    whole: row.whole,
    content: row.content,
    quotes: row.quotes,
    end: {
      sessionId: row.id,
      chunkCount: row.chunk_count,
      chainHash: row.chain_hash,
      eventsStored: Number(row.events_stored),
      eventSize: Number(row.event_size),
    },
    seal: row.seal,
  };
}
