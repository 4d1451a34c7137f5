import type { Worker } from 'node:cluster';
import type { Counts, HolderLimit, LocalCounts, CountedPlace } from '../proxies/kit/counts';

/** Message of a worker to its primary process, which keeps the counts of all workers. */
type Question =
  | { readonly kind: 'take'; readonly id: number; readonly holders: readonly HolderLimit[] }
  /** Releases a place. `id` is the id of the `take` message that reserved the place. */
  | { readonly kind: 'leave'; readonly id: number }
  | { readonly kind: 'count'; readonly id: number; readonly key: string; readonly limit: number };

/** `result`: the holder at its limit, or the milliseconds to wait; undefined if no limit is reached. */
interface Reply {
  readonly kind: 'counted';
  readonly id: number;
  readonly result: string | number | undefined;
}

/** Counts places and events for a worker, in the primary process. Releases the places when it exits. */
export function countFor(worker: Worker, counts: LocalCounts): void {
  const places = new Map<number, () => void>();
  let isGone = false;
  const counted = (question: Exclude<Question, { kind: 'leave' }>): Reply['result'] => {
    if (question.kind === 'count') return counts.countInMinute(question.key, question.limit);
    const place = counts.take(question.holders);
    if (place.kind === 'full') return place.holder;
    places.set(question.id, place.leave);
    return undefined;
  };
  worker.on('message', (message: Question | { readonly kind: 'other' }) => {
    // The last messages of a worker may come after its exit.
    if (isGone || !isQuestion(message)) return;
    if (message.kind === 'leave') {
      places.get(message.id)?.();
      places.delete(message.id);
      return;
    }
    const reply: Reply = { kind: 'counted', id: message.id, result: counted(message) };
    worker.send(reply, undefined, () => undefined);
  });
  worker.once('exit', () => {
    isGone = true;
    for (const leave of places.values()) leave();
    places.clear();
  });
}

function isQuestion(message: Question | { readonly kind: 'other' }): message is Question {
  return ['take', 'leave', 'count'].includes(message.kind);
}

/**
 * The counts of a worker, which its primary process keeps. A worker ends when its primary process ends, so it
 * never waits forever for a reply.
 */
export class CountsOfPrimary implements Counts {
  private readonly open = new Map<number, (result: Reply['result']) => void>();
  private questions = 0;

  constructor() {
    process.on('message', ({ kind, id, result }: Reply) => {
      if (kind !== 'counted') return;
      this.open.get(id)?.(result);
      this.open.delete(id);
    });
  }

  async take(holders: readonly HolderLimit[]): Promise<CountedPlace> {
    const id = ++this.questions;
    const full = await this.ask({ kind: 'take', id, holders });
    if (typeof full === 'string') return { kind: 'full', holder: full };
    return { kind: 'place', leave: () => send({ kind: 'leave', id }) };
  }

  async countInMinute(key: string, limit: number): Promise<number | undefined> {
    const waitMs = await this.ask({ kind: 'count', id: ++this.questions, key, limit });
    return typeof waitMs === 'number' ? waitMs : undefined;
  }

  private ask(question: Question): Promise<Reply['result']> {
    return new Promise((resolve) => {
      this.open.set(question.id, resolve);
      send(question);
    });
  }
}

function send(question: Question): void {
  process.send?.(question, undefined, {}, () => undefined);
}
