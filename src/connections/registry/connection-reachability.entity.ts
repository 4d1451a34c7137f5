import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The result of the last attempt to reach a connection's target. It has a table of its own, because a
 * measurement must not increase the version of the connection, nor cause its rules to be compiled again.
 */
@Entity('connection_reachability')
export class ConnectionReachability {
  @PrimaryColumn('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('uuid', { name: 'connection_id' })
  connectionId!: string;

  @Column('text')
  status!: 'online' | 'offline';

  /** Updated at least once a minute while the connection is used, and with each change of `status`. */
  @Column('timestamptz', { name: 'status_at' })
  statusAt!: Date;
}
