import { Injectable } from '@nestjs/common';
import { HttpSettings } from '../../platform/config/groups';
import { Clock } from '../../kernel/async/clock';
import type { ClaimedDelivery } from './delivery-queue';
import { bodyOf } from './message';
import { signedHeaders } from './signature';
import { WebhookSecrets } from './webhook-secrets';
import { type EndpointAnswer, WebhookSender } from './webhook-sender';

/** Sends deliveries: each attempt is a signed request of its own. */
@Injectable()
export class DeliveryAttempts {
  constructor(
    private readonly sender: WebhookSender,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
    private readonly settings: HttpSettings,
  ) {}

  /** @throws the reason of `stop` when it is aborted; all other failures are returned as answers. */
  async send(claimed: ClaimedDelivery, stop: AbortSignal): Promise<EndpointAnswer> {
    const { orgId, webhookId, secret, eventId, url } = claimed;
    let keys: Buffer[];
    try {
      keys = this.secrets.keys({ orgId, id: webhookId }, secret);
    } catch {
      return {
        status: null,
        error: 'The secret of the webhook cannot be opened: no key in SECRET_KEY matches. Rotate the secret.',
      };
    }
    const body = bodyOf(claimed, this.settings);
    const headers = {
      ...signedHeaders(eventId, body, keys, this.clock.now()),
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'access-gateway',
    };
    return this.sender.post(url, headers, body, stop);
  }
}
