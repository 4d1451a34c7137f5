import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * What came of the last attempts to open a connection's target. A table of its own: what is measured changes no
 * connection, so no version is counted and no rules are compiled anew.
 */
@Entity('connection_reachability')
export class ConnectionReachability {
  @PrimaryColumn('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('uuid', { name: 'connection_id' })
  connectionId!: string;

  @Column('text')
  status!: 'online' | 'offline';

  /** At least once a minute while the connection is used, and at each change of `status`. */
  @Column('timestamptz', { name: 'status_at' })
  statusAt!: Date;
}
