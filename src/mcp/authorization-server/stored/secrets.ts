import { RESOURCE_TOKEN_START } from '../../../identity/auth/tokens/resource-tokens';
import { randomSecret } from '../../../platform/http/pages/browser-secret';
import type { IssuedTokenKind } from './authorization.entity';

const STARTS: Record<IssuedTokenKind, string> = {
  code: 'gwc_',
  access: RESOURCE_TOKEN_START,
  refresh: 'gwr_',
};

/** A new code or token. Its first characters tell people and scanners for leaked secrets what it is. */
export function newToken(kind: IssuedTokenKind): string {
  return `${STARTS[kind]}${randomSecret()}`;
}
