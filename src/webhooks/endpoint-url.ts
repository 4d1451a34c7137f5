import type { WebhookSettings } from '../config/groups';
import { AppError } from '../kernel/app-error';
import { bareHost, isForbiddenAddress } from '../outbound/checked-address';

/**
 * The address of an endpoint, as it is stored. What its name resolves to is looked at whenever something is sent.
 * @throws AppError `unprocessable` for what the gateway would never send to.
 */
export function endpointUrl(text: string, settings: WebhookSettings): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new AppError('unprocessable', 'url must be an https address');
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new AppError('unprocessable', 'url must have no user name, password or fragment');
  }
  const refusal = endpointRefusal(url, settings);
  if (refusal !== undefined) throw new AppError('unprocessable', `url ${refusal}`);
  return url.href;
}

/** Why nothing is sent there, without asking what its name stands for; undefined: something may be. */
export function endpointRefusal(url: URL, { allowedHosts }: WebhookSettings): string | undefined {
  if (allowedHosts.includes(bareHost(url.hostname))) return undefined;
  if (url.protocol !== 'https:') return 'must be https, unless WEBHOOK_ALLOWED_HOSTS names its host';
  if (isForbiddenAddress(url.hostname))
    return 'is a private address, which WEBHOOK_ALLOWED_HOSTS does not name';
  return undefined;
}
