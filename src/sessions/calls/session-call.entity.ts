import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigint } from '../../platform/database/bigint';
import type { CallVerdict } from '../../gate/ports/call-log';

/** One request of a client to an MCP server. Rows are deleted with the recording of their session. */
@Entity('session_calls')
export class SessionCall {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('uuid', { name: 'session_id' })
  sessionId!: string;

  /** When the request came. */
  @PrimaryColumn('timestamptz')
  at!: Date;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  method!: string;

  @Column('text', { nullable: true })
  name!: string | null;

  @Column('text')
  verdict!: CallVerdict;

  @Column('uuid', { name: 'review_id', nullable: true })
  reviewId!: string | null;

  @Column('bigint', { name: 'duration_ms', transformer: bigint })
  durationMs!: number;

  @Column('bigint', { name: 'result_bytes', transformer: bigint })
  resultBytes!: number;
}
