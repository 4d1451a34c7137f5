/** Faults in the answers of a bucket to requests of one method, while all others are served. */
export const FAULTS_OF = {
  PUT: ['well', 'slow', 'full', 'read-only', 'failing', 'truncating', 'wrong'],
  GET: ['well', 'slow', 'failing', 'truncating', 'lying', 'wrong'],
  HEAD: ['well', 'slow', 'failing', 'wrong'],
} as const;

export type MovingMethod = keyof typeof FAULTS_OF;
export type BucketFaultName = (typeof FAULTS_OF)[MovingMethod][number];

/**
 * Moments at which a gateway can be killed: when a request comes, within its body (of a read: of its answer),
 * when the bucket has done it, when the answer was sent, and a moment after that, when the gateway writes its
 * rows.
 */
export const MOMENTS = ['before', 'within', 'unanswered', 'answered', 'later'] as const;
export type Moment = (typeof MOMENTS)[number];

/** A step of a move, at a bucket with that fault. */
export interface Step {
  readonly method: MovingMethod;
  readonly fault: BucketFaultName;
  readonly moment: Moment;
}

/**
 * Every step that there is: a question for the head of an object has no body,
 * and a bucket that is slow has not answered yet.
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
