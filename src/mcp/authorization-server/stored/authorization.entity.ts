import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A client that registered itself (RFC 7591). */
@Entity('authorization_clients')
export class AuthorizationClient {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  /** The `client_id`, chosen by the gateway. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { name: 'redirect_uris', array: true })
  redirectUris!: string[];

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** When a person last allowed the client something; null: never. */
  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;
}

/** An authorization request under way: ten minutes, single use, in one browser. */
@Entity('authorization_requests')
export class AuthorizationRequest {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** SHA-256 of the secret in the browser's cookie. */
  @Column('bytea', { name: 'browser_hash' })
  browserHash!: Buffer;

  @Column('text', { name: 'client_id' })
  clientId!: string;

  /** Name as it was shown to the user; null until the client and its redirect URI are checked. */
  @Column('text', { name: 'client_name', nullable: true })
  clientName!: string | null;

  @Column('text', { name: 'redirect_uri' })
  redirectUri!: string;

  /** The client's `state`, which goes back to it. */
  @Column('text', { name: 'client_state', nullable: true })
  clientState!: string | null;

  /** PKCE, S256. */
  @Column('text', { name: 'code_challenge' })
  codeChallenge!: string;

  /** Name of the connection in `resource`; null: the REST API. */
  @Column('text', { nullable: true })
  connection!: string | null;

  /** Null until the person was found to be allowed to open it, and for the REST API. */
  @Column('uuid', { name: 'connection_id', nullable: true })
  connectionId!: string | null;

  /** User who signed in; null until then. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId!: string | null;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}

/**
 * A user's permission for a client: for one connection, or the REST API. Its tokens end with it, and it ends
 * with the user and the connection.
 */
@Entity('authorizations')
export class Authorization {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  /** Null: the REST API. */
  @Column('uuid', { name: 'connection_id', nullable: true })
  connectionId!: string | null;

  /** Its name, which never changes; null: the REST API. */
  @Column('text', { nullable: true })
  connection!: string | null;

  @Column('text', { name: 'client_id' })
  clientId!: string;

  @Column('text', { name: 'client_name' })
  clientName!: string;

  @Column('text', { name: 'redirect_uri' })
  redirectUri!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** Refresh tokens are good until then. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}

/** A device without a browser that asks for tokens (RFC 8628): ten minutes, single use. */
@Entity('authorization_devices')
export class AuthorizationDevice {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  /** Also that of the authorization that comes of it. */
  @PrimaryColumn('uuid')
  id!: string;

  /** SHA-256 of the code by which the device asks for its tokens. */
  @Column('bytea', { name: 'device_hash' })
  deviceHash!: Buffer;

  /** SHA-256 of the code that the person types. */
  @Column('bytea', { name: 'user_code_hash' })
  userCodeHash!: Buffer;

  @Column('text', { name: 'client_id' })
  clientId!: string;

  /** Address that the request came from. */
  @Column('text')
  address!: string;

  /** Program that sent it, by its own name. */
  @Column('text', { name: 'user_agent' })
  userAgent!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** Time that the device has to wait between two questions, in seconds. */
  @Column('integer', { name: 'interval_seconds' })
  intervalSeconds!: number;

  @Column('timestamptz', { name: 'polled_at', nullable: true })
  polledAt!: Date | null;

  /** Null: nobody has decided. */
  @Column('text', { nullable: true })
  decision!: 'allowed' | 'refused' | null;

  /** User who decided. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId!: string | null;
}

export type IssuedTokenKind = 'code' | 'access' | 'refresh';

/** A code or a token of an authorization, as SHA-256 only. */
@Entity('authorization_tokens')
export class AuthorizationToken {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  @Column('uuid', { name: 'authorization_id' })
  authorizationId!: string;

  @Column('text')
  kind!: IssuedTokenKind;

  /** Only for codes: the hash of the verifier (PKCE). */
  @Column('text', { name: 'code_challenge', nullable: true })
  codeChallenge!: string | null;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** Only for codes and refresh tokens, which can be used once. A second use ends the authorization. */
  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;
}
