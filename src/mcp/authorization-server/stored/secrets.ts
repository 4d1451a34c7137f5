import { RESOURCE_TOKEN_START } from '../../../identity/auth/tokens/resource-tokens';
import { randomSecret } from '../../../platform/http/pages/browser-secret';
import type { IssuedTokenKind } from './authorization.entity';

const STARTS: Record<IssuedTokenKind, string> = {
  code: 'gwc_',
  access: RESOURCE_TOKEN_START,
  refresh: 'gwr_',
};

/**
 * Returns a new code or token. People and scanners for leaked secrets recognize it by its first characters.
 */
export function newToken(kind: IssuedTokenKind): string {
  return `${STARTS[kind]}${randomSecret()}`;
}
