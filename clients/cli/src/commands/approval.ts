import { setTimeout as delay } from 'node:timers/promises';
import { answered } from '@access-gateway/client';
import type { components } from '@access-gateway/client';
import type { Context } from '../context.js';
import { CommandFault, EXIT } from '../exit-codes.js';

type Review = components['schemas']['RequestView'];

const EVERY_MS = 1_000;

/** Options for the approval of a command. */
export interface ApprovalOptions {
  /** Reason for an emergency, in which the command does not wait for reviewers. Absent: no emergency. */
  readonly emergency?: string;
}

/**
 * Waits until a review is approved, and prints its progress. With `emergency`, opens the review as an
 * emergency and returns at once. @throws CommandFault `refused`, `interrupted`
 */
export async function approvalOf(
  { gateway, output, signal }: Pick<Context, 'gateway' | 'output' | 'signal'>,
  id: string,
  { emergency }: ApprovalOptions,
): Promise<void> {
  if (emergency !== undefined) {
    const request = { params: { path: { id } }, body: { reason: emergency }, signal };
    try {
      await answered(gateway.api.POST('/reviews/{id}/emergency', request));
    } catch (error) {
      if (!signal.aborted) output.say(`Review ${id} was not opened in an emergency.`);
      throw error;
    }
    output.say(`Opened in an emergency: another person looks at review ${id} afterwards.`);
    return;
  }
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
