import type { components } from '../api/schema';

export type Review = components['schemas']['RequestView'];

export const REVIEW_COLORS: Readonly<Record<Review['status'], string>> = {
  PENDING: 'blue',
  APPROVED: 'green',
  REJECTED: 'red',
  REVOKED: 'red',
  PROCESSING: 'blue',
  EXECUTED: 'green',
  EXPIRED: 'gray',
  UNKNOWN: 'yellow',
};
