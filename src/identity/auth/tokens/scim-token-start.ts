/** Tokens of provisioning by SCIM begin with this. */
export const SCIM_TOKEN_START = 'gws_';

export function isScimToken(bearer: string): boolean {
  return bearer.startsWith(SCIM_TOKEN_START);
}
