import type { WebhookSettings } from '../../platform/config/groups';
import { AppError } from '../../kernel/app-error';
import { bareHost, isForbiddenAddress } from '../../platform/outbound/checked-address';

/**
 * Checks the URL of an endpoint and returns it in the stored form. The address of its host is checked at each
 * delivery.
 * @throws AppError `unprocessable` for a URL to which the gateway would never send.
 */
export function endpointUrl(text: string, settings: WebhookSettings): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new AppError('unprocessable', 'url must be an https address');
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new AppError('unprocessable', 'url must not contain a user name, password or fragment');
  }
  const refusal = endpointRefusal(url, settings);
  if (refusal !== undefined) throw new AppError('unprocessable', `url ${refusal}`);
  return url.href;
}

/** Returns why the gateway never sends to the URL; undefined if it may. Does not look up the host name. */
export function endpointRefusal(url: URL, { allowedHosts }: WebhookSettings): string | undefined {
  if (allowedHosts.includes(bareHost(url.hostname))) return undefined;
  if (url.protocol !== 'https:') return 'must be https, unless WEBHOOK_ALLOWED_HOSTS names its host';
  if (isForbiddenAddress(url.hostname))
    return 'is a private address; to allow it, add its host to WEBHOOK_ALLOWED_HOSTS';
  return undefined;
}
