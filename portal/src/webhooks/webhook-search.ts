import type { components } from '../api/schema';
import { type PageSearch, pageIn } from '../parts/page-search';

export type DeliveryState = components['schemas']['DeliveryView']['state'];

export const DELIVERY_STATES: readonly DeliveryState[] = ['pending', 'delivered', 'dead'];
const PARTS = ['settings', 'deliveries', 'secret'] as const;

/** The open tab on the page of a webhook, and the state by which its deliveries are filtered. */
export interface WebhookSearch extends PageSearch {
  readonly part?: (typeof PARTS)[number];
  readonly state?: DeliveryState;
}

export function webhookSearchIn(search: Record<string, unknown>): WebhookSearch {
  const part = PARTS.find((each) => each === search['part']);
  const state = DELIVERY_STATES.find((each) => each === search['state']);
  return {
    ...pageIn(search),
    ...(part === undefined ? {} : { part }),
    ...(state === undefined ? {} : { state }),
  };
}
