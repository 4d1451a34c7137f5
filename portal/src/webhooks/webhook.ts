import type { components } from '../api/schema';

export type Webhook = components['schemas']['WebhookView'];
export type WebhookChange = components['schemas']['WebhookChangeBody'];
type Event = Webhook['events'][number];

/** Fields that the form changes. */
export type EditableWebhook = Pick<Webhook, 'url' | 'description' | 'format' | 'enabled' | 'events'>;

export const EMPTY_WEBHOOK: EditableWebhook = {
  url: '',
  description: '',
  format: 'standard',
  enabled: true,
  events: [],
};

/** All events. The type makes the compiler refuse this list when an event of the API is missing. */
const EVENT_NAMES: Readonly<Record<Event, true>> = {
  'review.requested': true,
  'review.decided': true,
  'review.signed_off': true,
  'session.started': true,
  'session.blocked': true,
  'session.ended': true,
  'access.revoked': true,
  'mcp.tool.changed': true,
};
const FORMAT_NAMES: Readonly<Record<Webhook['format'], true>> = { standard: true, slack: true, teams: true };

export const EVENTS = Object.keys(EVENT_NAMES) as readonly Event[];
export const FORMATS = Object.keys(FORMAT_NAMES) as readonly Webhook['format'][];

export function editableOf({ url, description, format, enabled, events }: Webhook): EditableWebhook {
  return { url, description, format, enabled, events };
}
