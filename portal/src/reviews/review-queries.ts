import { api } from '../api/client';
import type { operations } from '../api/schema';
import type { PageSearch } from '../parts/page-search';
import type { RequestFilters } from './request-filters';

const LISTED = 50;

/** Query for reviews that wait for a vote of the signed-in user, the oldest first. */
export const toDecideQuery = ({ page = 1 }: PageSearch) =>
  listQuery({ mine: 'to_decide', order: 'oldest', page });

/** Query for forced approvals and emergencies that the signed-in user may sign off, the oldest first. */
export const toSignOffQuery = ({ page = 1 }: PageSearch) =>
  listQuery({ mine: 'to_sign_off', order: 'oldest', page });

/** Query for the signed-in user's own requests, the newest first. */
export const myRequestsQuery = ({ page = 1 }: PageSearch) => listQuery({ mine: 'requested', page });

/** All requests, the newest first, for auditors. */
export const allRequestsQuery = ({ page = 1, ...filters }: RequestFilters) => listQuery({ ...filters, page });

export const reviewQuery = (id: string) =>
  api.queryOptions('get', '/reviews/{id}', { params: { path: { id } } });

const listQuery = (asked: NonNullable<operations['listReviews']['parameters']['query']>) =>
  api.queryOptions('get', '/reviews', { params: { query: { ...asked, page_size: LISTED } } });
