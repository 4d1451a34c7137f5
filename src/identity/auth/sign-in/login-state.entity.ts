import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A sign-in in progress: single use, ten minutes. State and browser secret are stored as SHA-256 only. */
@Entity('login_states')
export class LoginState {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('bytea', { name: 'state_hash' })
  stateHash!: Buffer;

  @Column('bytea', { name: 'browser_hash', nullable: true })
  browserHash!: Buffer | null;

  @Column('text', { name: 'code_verifier' })
  codeVerifier!: string;

  @Column('text')
  nonce!: string;

  @Column('text')
  redirect!: string;

  /**
   * `token`: the redirect contains the access token. `portal`: a session of the portal begins. Any other
   * purpose: the module that started the sign-in receives the person.
   */
  @Column('text')
  purpose!: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
