import { z } from 'zod';
import { flag, httpUrl, list, wholeNumber } from './values';

/** The environment variables of the identity provider; see `variables.ts`. */
export const identityProviderVariables = {
  IDP_ISSUER: httpUrl
    .optional()
    .describe(
      'OpenID Connect issuer. Absent: an embedded development identity provider (not in production).',
    ),
  IDP_CLIENT_ID: z
    .string()
    .optional()
    .describe('Client id at the identity provider; required with `IDP_ISSUER`.'),
  IDP_CLIENT_SECRET: z
    .string()
    .optional()
    .describe('Client secret; absent for a public client (PKCE is always used).'),
  IDP_AUDIENCE: z.string().optional().describe('Required `aud` of access tokens. Default: the client id.'),
  IDP_SCOPES: z.string().default('openid email profile').describe('Scopes requested at sign-in.'),
  IDP_GROUPS_CLAIM: z.string().default('groups').describe('Claim with the groups: a string or an array.'),
  IDP_GROUPS_AUTHORITATIVE: flag.default(false).describe('`true`: a missing groups claim means no groups.'),
  IDP_OPAQUE_TOKENS: z
    .enum(['auto', 'introspection', 'userinfo', 'refused'])
    .default('auto')
    .describe(
      'How access tokens that are no JWT are verified. `introspection`: the provider says for whom they are (RFC 7662). `userinfo`: it says only whose they are, so tokens of all its clients are accepted. `auto`: introspection where the provider has it and there is a client secret, otherwise userinfo.',
    ),
  IDP_OTHER_CLIENTS: list
    .default([])
    .describe(
      'Ids of other clients of the provider, comma-separated, whose tokens are accepted where introspection gives no audience. The own client is always accepted.',
    ),
  IDP_TIMEOUT_SECONDS: wholeNumber(1, 60)
    .default(5)
    .describe('Time limit of each request to the identity provider.'),
  DEV_IDP_PORT: wholeNumber(0, 65_535)
    .default(8010)
    .describe('Port of the embedded development identity provider (loopback only); 0 takes any.'),
};
