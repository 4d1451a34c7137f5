import { createHmac } from 'node:crypto';

/**
 * Returns the headers that prove the sender and the time of a message: Standard Webhooks 1.0, "Webhook
 * headers" and "Signature scheme". `id` must not contain a period. There is one signature for each key, so
 * that a receiver needs only one of the keys.
 */
export function signedHeaders(
  id: string,
  body: string,
  keys: readonly Buffer[],
  nowMs: number,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = Math.floor(nowMs / 1000).toString();
  const signatures = keys.map((key) => {
    const hash = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return `v1,${hash}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
