/** Faults of a bucket for requests of one method; other requests are served. `well` means no fault. */
export const FAULTS_OF = {
  PUT: ['well', 'slow', 'full', 'read-only', 'failing', 'truncating', 'wrong'],
  GET: ['well', 'slow', 'failing', 'truncating', 'lying', 'wrong'],
  HEAD: ['well', 'slow', 'failing', 'wrong'],
} as const;

export type MovingMethod = keyof typeof FAULTS_OF;
export type BucketFaultName = (typeof FAULTS_OF)[MovingMethod][number];

/**
 * Moments at which a gateway can be killed: when its request arrives at the bucket, within the request's body
 * (for a GET: within the answer's body), when the bucket has executed the request, when the answer was sent,
 * and shortly after that, when the gateway writes its rows.
 */
export const MOMENTS = ['before', 'within', 'unanswered', 'answered', 'later'] as const;
export type Moment = (typeof MOMENTS)[number];

/** A request during the move of a recording, the bucket's fault, and the moment of the kill. */
export interface Step {
  readonly method: MovingMethod;
  readonly fault: BucketFaultName;
  readonly moment: Moment;
}

/**
 * All steps that can occur. Leaves out impossible ones: for example, a HEAD request has no body, and a slow
 * bucket never sends an answer.
 */
export const STEPS: readonly Step[] = (Object.keys(FAULTS_OF) as MovingMethod[]).flatMap((method) =>
  FAULTS_OF[method].flatMap((fault) =>
    MOMENTS.filter(
      (moment) => !(method === 'HEAD' && moment === 'within') && !(fault === 'slow' && moment === 'answered'),
    )
      .filter((moment) => !(method === 'GET' && fault !== 'well' && fault !== 'wrong' && moment === 'within'))
      .map((moment) => ({ method, fault, moment })),
  ),
);
