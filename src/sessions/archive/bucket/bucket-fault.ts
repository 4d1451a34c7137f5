/**
 * Reasons why a request to object storage failed.
 * - `unreachable`: no response in time, a broken connection, or an error of the storage (5xx); trying again
 *   helps.
 * - `refused`: missing rights, no space, no such bucket; an operator has to act.
 * - `wrong`: the storage returned other bytes than were stored.
 */
export const BUCKET_FAULTS = ['unreachable', 'refused', 'wrong'] as const;
export type BucketFaultKind = (typeof BUCKET_FAULTS)[number];

/**
 * A fault of object storage. Its message is a plain sentence about *the object
 * storage*, without secrets and keys of objects.
 */
export class BucketFault extends Error {
  constructor(
    readonly kind: BucketFaultKind,
    message: string,
    cause?: unknown,
  ) {
    super(`the object storage ${message}`, cause === undefined ? undefined : { cause });
    this.name = 'BucketFault';
  }
}
