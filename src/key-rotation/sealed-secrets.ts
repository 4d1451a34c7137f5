import { secretContext } from '../connections/connection-secret';
import { webhookSecretContext } from '../webhooks/webhook-secrets';

interface Row {
  readonly orgId: string;
  readonly id: string;
}

/** A table whose column `secret` holds what `SecretBox` sealed. */
export interface SealedSecrets {
  readonly table: string;
  readonly context: (row: Row) => string;
}

/** All of them: a test looks for sealed bytes anywhere else. */
export const sealedSecrets: readonly SealedSecrets[] = [
  { table: 'connections', context: secretContext },
  { table: 'webhooks', context: webhookSecretContext },
];
