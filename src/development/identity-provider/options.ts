import type { DevelopmentUserEntry } from './development-user';

export interface DevelopmentIdentityProviderOptions {
  /** Port on which the provider listens; 0 for any free port. */
  port: number;
  clientId: string;
  clientSecret: string;
  /** The gateway's /callback addresses, compared as exact strings (RFC 9700, section 2.1). */
  redirectUris: string[];
  /** Value of the claim `aud` in JWT access tokens. */
  audience: string;
  users: DevelopmentUserEntry[];
  /**
   * File of the signing and cookie keys (mode 0600), so that tokens stay valid after a restart. Absent: new
   * keys at each start.
   */
  keysFile?: string;
  /** Default `jwt`; with `opaque` the gateway has to query /introspection and /userinfo. */
  accessTokenFormat?: 'jwt' | 'opaque';
  /** Lifetime of access tokens; default 3600. */
  accessTokenTtlSeconds?: number;
}
