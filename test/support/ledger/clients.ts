import { setTimeout as delay } from 'node:timers/promises';
import { volume } from '../volume';
import type { Ledger } from './ledger';
import type { Random } from './random';
import { type Script, inputOf, planScript } from './scripts';
import type { Answer } from './session-findings';

/**
 * Number of clients. In `npm test`, just enough clients run that a script is always running. Runs that set
 * `LEDGER_KILLS`, such as `npm run test:faults`, use 20 clients.
 */
const CLIENTS = process.env['LEDGER_KILLS'] === undefined ? volume(4, 20) : 20;
const THINKS_AT_MOST_MS = 80;
/** Maximum delay after a failed request. */
const PAUSES_AT_MOST_MS = 600;
/** Time limit of a request. Scripts are answered within 50 s, so a longer wait means a dead connection. */
const PATIENCE_MS = 70_000;

interface Told {
  readonly session_id: string;
  readonly output: string;
  readonly output_status: Answer['status'];
  readonly truncated: boolean;
}

export interface ClientOptions {
  readonly api: string;
  readonly token: () => Promise<string>;
  readonly ledger: Ledger;
  readonly random: Random;
  /** Letters that identify a test run: the `batch` of all its sessions, and a part of every marker. */
  readonly batch: string;
}

/** Clients that each run one script after another, even while the gateway is down, and record the answers. */
export class Clients {
  /**
   * Counts by kind of answer: an output status, an HTTP status, `cut` if no complete answer came, `unheard`
   * if the connection was refused.
   */
  readonly answers: Record<string, number> = {};
  private readonly working: Promise<unknown>;
  private isOver = false;
  private token: string | undefined;

  constructor(private readonly options: ClientOptions) {
    this.working = Promise.all(Array.from({ length: CLIENTS }, async (_, index) => this.work(index)));
    // Prevents an unhandled rejection until `stop` throws the error.
    this.working.catch(() => undefined);
  }

  /**
   * Resolves when every client has its last answer. @throws if an answer cannot be explained by a fault that
   * the test caused.
   */
  async stop(): Promise<void> {
    this.isOver = true;
    await this.working;
  }

  private async work(client: number): Promise<void> {
    const random = this.options.random.of(`client ${client}`);
    for (let number = 1; !this.isOver; number++) {
      const script = planScript(`mark-${this.options.batch}-${client}-${number}`, random);
      const isDone = await this.run(script);
      await delay(random.between(0, isDone ? THINKS_AT_MOST_MS : PAUSES_AT_MOST_MS));
    }
  }

  /** Runs a script. Returns whether the gateway answered with a session. */
  private async run(script: Script): Promise<boolean> {
    const { ledger } = this.options;
    const token = (this.token ??= await this.options.token());
    ledger.send(script);
    const answer = await this.post(script, token).catch(unanswered);
    if (typeof answer === 'string') return this.count(answer, false);
    const { status, told } = answer;
    if (status === 401) this.token = undefined;
    else if (status < 500 && status !== 200 && status !== 202)
      throw new Error(`${script.marker} was answered with ${status}: ${JSON.stringify(told)}`);
    if (told.session_id === undefined) return this.count(String(status), false);
    const { output, output_status, truncated, session_id: sessionId } = told;
    ledger.acknowledge(script, { sessionId, status: output_status, truncated, output });
    return this.count(output_status, true);
  }

  private async post(script: Script, token: string): Promise<{ status: number; told: Told }> {
    const response = await fetch(`${this.options.api}/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        connection: 'orders',
        script: inputOf(script),
        session_batch_id: this.options.batch,
      }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: response.status, told: (await response.json()) as Told };
  }

  private count(answer: string, isDone: boolean): boolean {
    this.answers[answer] = (this.answers[answer] ?? 0) + 1;
    return isDone;
  }
}

/** Classifies an error that came before the complete answer, so that the gateway acknowledged nothing. */
function unanswered(error: Error): 'cut' | 'unheard' {
  return (error.cause as { code?: string } | undefined)?.code === 'ECONNREFUSED' ? 'unheard' : 'cut';
}
