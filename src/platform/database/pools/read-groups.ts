import { databaseOutage } from '../faults/outage';

/** Settings for answering questions in groups. */
export interface ReadInGroups<Question, Answer> {
  /** Questions in one statement at most. */
  readonly atMost: number;
  /**
   * Statements of one queue that run at the same time; questions that come
   * meanwhile wait for the first that ends.
   */
  readonly atOnce: number;
  /** Questions of different queues are read by different statements. */
  readonly queueOf: (question: Question) => string;
  /** Reads the answers, in the order of the questions, in one statement. */
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
 * Reads what concurrent requests ask for in groups: one statement for the questions of a turn of the event
 * loop, and for those that come while other statements run. The statement of a question starts after it was
 * asked, so an answer is as fresh as that of a statement of its own.
 */
export class ReadGroups<Question, Answer> {
  /** By name; present while questions wait or are read. */
  private readonly queues = new Map<string, Queue<Question, Answer>>();

  constructor(private readonly how: ReadInGroups<Question, Answer>) {}

  /** Rejects as the statement does. */
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

  /** Never rejects. */
  private async readGroup(group: readonly Waiting<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.how.read(group.map(({ question }) => question));
      for (const [index, { done }] of group.entries()) done(answers[index] as Answer);
    } catch (error) {
      // A fault in one answer must not affect others.
      if (group.length > 1 && databaseOutage(error) === undefined)
        for (const waiting of group) await this.readGroup([waiting]);
      else for (const { failed } of group) failed(error);
    }
  }
}
