import { z } from 'zod';
import { flag, wholeNumber } from './values';

/**
 * Claims whose values people can change, or that can be given to another person. They must not link accounts,
 * because otherwise one person could become another.
 */
const CHANGEABLE_CLAIMS = new Set([
  'email',
  'emails',
  'name',
  'nickname',
  'phone_number',
  'preferred_username',
  'unique_name',
  'upn',
  'username',
  'verified_primary_email',
]);

/** The environment variables of provisioning by SCIM; see `variables.ts`. */
export const scimVariables = {
  SCIM_MATCH_CLAIM: z
    .string()
    .regex(/^[^\s=]{1,128}$/, 'must be the name of a claim')
    .refine(
      (claim) => !CHANGEABLE_CLAIMS.has(claim.toLowerCase()),
      'must be a claim that never changes, such as sub or oid: names and addresses can be changed and reused',
    )
    .default('sub')
    .describe(
      'Claim of access tokens that equals `externalId` of SCIM users: `sub` with Okta, `oid` with Entra. People are linked by it alone, never by a name or an e-mail address.',
    ),
  SCIM_ROLE_GROUPS: flag
    .default(false)
    .describe('`true`: SCIM may fill `ADMIN_GROUP` and `AUDITOR_GROUP`; otherwise it is refused (403).'),
  SCIM_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000)
    .default(3_000)
    .describe('Requests of one SCIM token per minute allowed in this process; more get 429.'),
};
