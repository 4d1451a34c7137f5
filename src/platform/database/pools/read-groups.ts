import { databaseOutage } from '../faults/outage';

/** Settings for answering concurrent questions (look-ups) together, in one statement. */
export interface ReadInGroups<Question, Answer> {
  /** Maximum number of questions in one statement. */
  readonly atMost: number;
  /**
   * Maximum number of statements that run concurrently for one queue. Further questions wait until one of
   * these statements ends.
   */
  readonly atOnce: number;
  /** Name of the queue of a question. One statement reads questions of one queue only. */
  readonly queueOf: (question: Question) => string;
  /** Reads the answers in one statement, and returns them in the order of the questions. */
  readonly read: (questions: readonly Question[]) => Promise<readonly Answer[]>;
}

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly done: (answer: Answer) => void;
  readonly failed: (error: unknown) => void;
}

interface Queue<Question, Answer> {
  readonly waiting: Waiting<Question, Answer>[];
  running: number;
  isScheduled: boolean;
}

/**
 * Answers the questions (look-ups) of concurrent requests in groups. One statement reads the questions of one
 * turn of the event loop, or the questions that arrived while other statements ran. The statement starts
 * after all of its questions arrived, so each answer is as fresh as the answer of a separate statement.
 */
export class ReadGroups<Question, Answer> {
  /** Queues by name. A queue exists while its questions wait or are read. */
  private readonly queues = new Map<string, Queue<Question, Answer>>();

  constructor(private readonly how: ReadInGroups<Question, Answer>) {}

  /** Answers a question. Rejects with the error of the statement. */
  ask(question: Question): Promise<Answer> {
    return new Promise<Answer>((done, failed) => {
      const name = this.how.queueOf(question);
      const queue = this.queues.get(name) ?? { waiting: [], running: 0, isScheduled: false };
      this.queues.set(name, queue);
      queue.waiting.push({ question, done, failed });
      if (queue.isScheduled || queue.running >= this.how.atOnce) return;
      queue.isScheduled = true;
      setImmediate(() => {
        queue.isScheduled = false;
        this.start(name, queue);
      });
    });
  }

  private start(name: string, queue: Queue<Question, Answer>): void {
    while (queue.waiting.length > 0 && queue.running < this.how.atOnce) {
      queue.running += 1;
      void this.readGroup(queue.waiting.splice(0, this.how.atMost)).finally(() => {
        queue.running -= 1;
        this.start(name, queue);
      });
    }
    if (queue.running === 0) this.queues.delete(name);
  }

  /** Reads the answers to a group of questions. Never rejects. */
  private async readGroup(group: readonly Waiting<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.how.read(group.map(({ question }) => question));
      for (const [index, { done }] of group.entries()) done(answers[index] as Answer);
    } catch (error) {
      // Reads each question separately, so that a fault in one answer does not affect the others.
      if (group.length > 1 && databaseOutage(error) === undefined)
        for (const waiting of group) await this.readGroup([waiting]);
      else for (const { failed } of group) failed(error);
    }
  }
}
