/** Prefix of tokens for SCIM provisioning. */
export const SCIM_TOKEN_START = 'gws_';

export function isScimToken(bearer: string): boolean {
  return bearer.startsWith(SCIM_TOKEN_START);
}
