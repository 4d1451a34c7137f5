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

  /** Time at which a person last authorized the client; null: never. */
  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;
}

/** An authorization request. It is valid for ten minutes, once, in one browser. */
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

  /** Client name as the user saw it; null until the client and its redirect URI are checked. */
  @Column('text', { name: 'client_name', nullable: true })
  clientName!: string | null;

  @Column('text', { name: 'redirect_uri' })
  redirectUri!: string;

  /** The client's `state`, which is returned to the client. */
  @Column('text', { name: 'client_state', nullable: true })
  clientState!: string | null;

  /** PKCE challenge, method S256. */
  @Column('text', { name: 'code_challenge' })
  codeChallenge!: string;

  /** Name of the connection in `resource`; null for the REST API. */
  @Column('text', { nullable: true })
  connection!: string | null;

  /** Id of the connection; null until the person's access to it was checked, and for the REST API. */
  @Column('uuid', { name: 'connection_id', nullable: true })
  connectionId!: string | null;

  /** User who signed in; null before the sign-in. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId!: string | null;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}

/**
 * A user's permission for a client to use one connection or the REST API. It ends with the user and with the
 * connection, and its tokens end with it.
 */
@Entity('authorizations')
export class Authorization {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  /** Id of the connection; null for the REST API. */
  @Column('uuid', { name: 'connection_id', nullable: true })
  connectionId!: string | null;

  /** Name of the connection, which never changes; null for the REST API. */
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

  /** Time at which the refresh tokens expire. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}

/** A token request of a device without a browser (RFC 8628). It is valid for ten minutes, once. */
@Entity('authorization_devices')
export class AuthorizationDevice {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  /** Id of the request, and of the authorization that results from it. */
  @PrimaryColumn('uuid')
  id!: string;

  /** SHA-256 of the code with which the device requests its tokens. */
  @Column('bytea', { name: 'device_hash' })
  deviceHash!: Buffer;

  /** SHA-256 of the code that the person types. */
  @Column('bytea', { name: 'user_code_hash' })
  userCodeHash!: Buffer;

  @Column('text', { name: 'client_id' })
  clientId!: string;

  /** Network address from which the device sent the request. */
  @Column('text')
  address!: string;

  /** Name that the requesting program gives itself (`User-Agent`). */
  @Column('text', { name: 'user_agent' })
  userAgent!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** Minimum time between two polls of the device, in seconds. */
  @Column('integer', { name: 'interval_seconds' })
  intervalSeconds!: number;

  @Column('timestamptz', { name: 'polled_at', nullable: true })
  polledAt!: Date | null;

  /** Null until a person has decided. */
  @Column('text', { nullable: true })
  decision!: 'allowed' | 'refused' | null;

  /** User who decided. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId!: string | null;
}

export type IssuedTokenKind = 'code' | 'access' | 'refresh';

/** A code or token of an authorization. Only its SHA-256 is stored. */
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

  /** PKCE code challenge, which is the hash of the code verifier; null for tokens. */
  @Column('text', { name: 'code_challenge', nullable: true })
  codeChallenge!: string | null;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /**
   * Time of use, only for codes and refresh tokens. They are valid once; a second use ends the authorization.
   */
  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;
}
