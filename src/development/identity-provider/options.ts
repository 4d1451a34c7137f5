import type { DevelopmentUserEntry } from './development-user';

export interface DevelopmentIdentityProviderOptions {
  /** 0 takes any free port. */
  port: number;
  clientId: string;
  clientSecret: string;
  /** The gateway's /callback addresses, compared as they are written (RFC 9700, section 2.1). */
  redirectUris: string[];
  /** The `aud` of the JWT access tokens. */
  audience: string;
  users: DevelopmentUserEntry[];
  /** Signing and cookie keys are kept here (mode 0600), so tokens outlive a restart; else they are fresh. */
  keysFile?: string;
  /** Default `jwt`; with `opaque` the gateway has to ask /userinfo. */
  accessTokenFormat?: 'jwt' | 'opaque';
  /** Default 3600. */
  accessTokenTtlSeconds?: number;
}
