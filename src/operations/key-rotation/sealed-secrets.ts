import { sshHostKeyContext } from '../../platform/keys/ssh-host-keys';
import { sshUserCaContext } from '../../platform/keys/ssh-user-ca';
import { portalSessionContext } from '../../identity/auth/portal/portal-session-rows';
import { secretContext } from '../../connections/registry/connection-secret';
import { signInVisitContext } from '../../mcp/upstream-credentials/sign-in/browser-visits';
import { upstreamClientContext } from '../../mcp/upstream-credentials/sign-in/upstream-clients';
import { upstreamTokenContext } from '../../mcp/upstream-credentials/stored/token-rows';
import { webhookSecretContext } from '../../integrations/webhooks/webhook-secrets';

interface Row {
  readonly orgId: string;
  readonly id: string;
}

/** A table whose column `secret` was sealed by `SecretBox`. */
export interface SealedSecrets {
  readonly table: string;
  /** Whether its rows belong to no organization, but to all gateways of the database. Default: no. */
  readonly isOfGateways?: true;
  readonly context: (row: Row) => string;
}

/** All tables with sealed secrets. A test searches all other tables for sealed bytes. */
export const sealedSecrets: readonly SealedSecrets[] = [
  { table: 'portal_sessions', context: portalSessionContext },
  { table: 'connections', context: secretContext },
  { table: 'webhooks', context: webhookSecretContext },
  { table: 'upstream_clients', context: upstreamClientContext },
  { table: 'upstream_sign_in_visits', context: signInVisitContext },
  { table: 'upstream_tokens', context: upstreamTokenContext },
  { table: 'ssh_host_keys', context: sshHostKeyContext, isOfGateways: true },
  { table: 'ssh_user_ca_keys', context: sshUserCaContext, isOfGateways: true },
];
