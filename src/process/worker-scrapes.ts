import type { Worker } from 'node:cluster';
import { resultWithin } from '../kernel/async/timeout';
import type { Exposition, ProcessMetrics } from '../platform/metrics/exposition';

/** Maximum wait for a worker's metrics. A scrape leaves out a worker that is blocked for longer. */
const ANSWER_WITHIN_MS = 1_500;

interface Question {
  readonly kind: 'scrape';
  readonly id: number;
}

interface Reply {
  readonly kind: 'scraped';
  readonly id: number;
  readonly metrics: ProcessMetrics;
}

/** Requests the metrics of all workers, in the primary process. */
export class WorkerScrapes {
  /** Number of workers that answered the last scrape. */
  answering = 0;
  silent = 0;
  /** Number of workers that were started, including the replacements of dead workers. */
  started = 0;
  private readonly workers = new Set<Worker>();
  private readonly open = new Map<number, (metrics: ProcessMetrics) => void>();
  private questions = 0;

  readonly follow = (worker: Worker): void => {
    this.started += 1;
    this.workers.add(worker);
    worker.once('exit', () => this.workers.delete(worker));
    worker.on('message', (reply: Reply | { readonly kind: 'other' }) => {
      if (reply.kind !== 'scraped') return;
      this.open.get(reply.id)?.(reply.metrics);
    });
  };

  /** Collects the metrics of the workers that answer in time. */
  async collect(): Promise<ProcessMetrics[]> {
    const answers = await Promise.all([...this.workers].map((worker) => this.ask(worker)));
    const metrics = answers.filter((answer) => answer !== undefined);
    this.answering = metrics.length;
    this.silent = answers.length - metrics.length;
    return metrics;
  }

  private async ask(worker: Worker): Promise<ProcessMetrics | undefined> {
    const id = ++this.questions;
    const answer = new Promise<ProcessMetrics>((resolve) => this.open.set(id, resolve));
    const question: Question = { kind: 'scrape', id };
    worker.send(question, undefined, () => undefined);
    const metrics = await resultWithin(answer, ANSWER_WITHIN_MS);
    this.open.delete(id);
    return metrics;
  }
}

/** Answers the scrapes of the primary process, in a worker. */
export function answerScrapes(exposition: Exposition): void {
  process.on('message', ({ kind, id }: Question | { readonly kind: 'other'; readonly id: number }) => {
    if (kind === 'scrape') void answer(exposition, id);
  });
}

async function answer(exposition: Exposition, id: number): Promise<void> {
  const reply: Reply = { kind: 'scraped', id, metrics: await exposition.metrics() };
  process.send?.(reply, undefined, {}, () => undefined);
}
