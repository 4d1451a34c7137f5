import { setTimeout as delay } from 'node:timers/promises';
import { type Gateway, answered } from '@access-gateway/client';
import type { components } from '@access-gateway/client';
import { CommandFault, EXIT } from '../exit-codes.js';
import type { Output } from '../shown/output.js';

type Review = components['schemas']['RequestView'];

const EVERY_MS = 1_000;

/** Waits until a review is approved, and says how it goes. @throws CommandFault `refused`, `interrupted` */
export async function approvalOf(
  gateway: Gateway,
  id: string,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  let said = '';
  for (;;) {
    const review = await answered(gateway.api.GET('/reviews/{id}', { params: { path: { id } }, signal }));
    if (review.status === 'APPROVED') return;
    if (review.status !== 'PENDING') throw refusalOf(review);
    const progress = progressOf(review);
    if (progress !== said) output.say(progress);
    said = progress;
    await delay(EVERY_MS, undefined, { signal });
  }
}

function progressOf({ id, review_groups_data: groups }: Review): string {
  const done = groups.filter(({ status }) => status === 'APPROVED').length;
  return `Waiting for approval ${id}: ${done} of ${groups.length} groups (${groups.map(({ group: name, status }) => `${name}: ${status.toLowerCase()}`).join(', ')}). Ctrl-C stops waiting; the request stays.`;
}

function refusalOf({ status, rejection_reason: reason }: Review): CommandFault {
  const why = reason === null || reason === '' ? '' : `: ${reason}`;
  return new CommandFault(`the request is ${status.toLowerCase()}${why}`, EXIT.refused);
}
