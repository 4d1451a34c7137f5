import { AppError } from '../../kernel/app-error';

const RETRY_AFTER_SECONDS = 5;

/**
 * Error of a task that exceeded its time limit, so that its thread was terminated. A task that no thread
 * began fails with another error.
 */
export class AnalysisTimeout extends AppError {
  constructor(milliseconds: number) {
    super(
      'unprocessable',
      `the text takes too long to judge: there was no answer within ${milliseconds} ms; send it in smaller parts`,
    );
  }
}

/** Error of an analysis whose result is not needed any more, because its session or request has ended. */
export class AnalysisAbandoned extends AppError {
  constructor() {
    super('unavailable', 'the session or request ended before the text was judged', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
}

/** Error when one user has reached the maximum number of waiting texts for one user. */
export function userQueueFull(): AppError {
  return busy('too_many_requests', 'you already have too many texts that wait to be judged');
}

/** Error when the maximum number of waiting texts for all users together is reached. */
export function queueFull(): AppError {
  return busy('unavailable', 'too many texts wait to be judged');
}

/** Error when a text has waited in the queue for longer than its time limit. */
export function queueTimeout(milliseconds: number): AppError {
  return busy(
    'unavailable',
    `too many texts wait to be judged: it was not the turn of this one in ${milliseconds} ms`,
  );
}

function busy(code: 'too_many_requests' | 'unavailable', why: string): AppError {
  return new AppError(code, `${why}; try again later`, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
