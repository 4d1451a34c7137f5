import type { Client } from 'pg';
import { streamOf } from './driver-parts';
import { cancelPostgres, closePostgres, connectPostgres } from './postgres-connect';
import { connectionFault, TargetFault } from './postgres-faults';
import {
  EXIT_OK,
  EXIT_STATEMENT_FAILED,
  EXIT_TARGET_LOST,
  type OutputSink,
  type ScriptRunner,
} from '../contract/script-runner';
import { BinaryOutput, SimpleQuery } from './simple-query';
import { inSpan } from '../../kernel/runtime/spans';
import { resultWithin } from '../../kernel/async/timeout';

/** Maximum time to wait for a cancellation, so that a silent target does not delay the end of a session. */
const CANCEL_WITHIN_MS = 1_000;

const BINARY =
  'A result of this script is in binary form, but scripts return text: declare the cursor without BINARY, or use COPY in the format text or csv.\n';

class Unwanted extends Error {}

const POSTGRESQL = { 'db.system.name': 'postgresql' } as const;

/**
 * Runs a script of one or more SQL statements on a PostgreSQL target, on a connection of its own that is
 * closed after the script.
 */
export class PostgresScripts implements ScriptRunner {
  async run(
    secret: Readonly<Record<string, string>>,
    script: string,
    sink: OutputSink,
    signal: AbortSignal,
    dialled: (isReachable: boolean) => void,
    traceparent?: string,
  ): Promise<number> {
    let client: Client | undefined;
    try {
      client = await inSpan('gateway.dial', POSTGRESQL, () => this.connect(secret, signal, traceparent));
      if (client === undefined) return EXIT_TARGET_LOST;
      dialled(true);
    } catch (error) {
      dialled(false);
      await sink('e', `${connectionFault(error)}\n`);
      return EXIT_TARGET_LOST;
    }
    const open = client;
    const ran = inSpan('postgresql', POSTGRESQL, () => this.query(open, script, sink));
    const stop = (): void => void this.stop(secret, client, ran);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await ran;
    } catch (error) {
      if (error instanceof Unwanted) {
        await this.stop(secret, client, ran);
        return EXIT_STATEMENT_FAILED;
      }
      if (error instanceof BinaryOutput) {
        await this.stop(secret, client, ran);
        await sink('e', BINARY);
        return EXIT_STATEMENT_FAILED;
      }
      if (error instanceof TargetFault && error.code === 'TOO_LARGE') {
        await sink('e', 'A row or message of the database is larger than 16 MiB and cannot be recorded.\n');
        return EXIT_STATEMENT_FAILED;
      }
      if (!signal.aborted) await sink('e', 'The connection to the database was lost while the script ran.\n');
      return EXIT_TARGET_LOST;
    } finally {
      signal.removeEventListener('abort', stop);
      await closePostgres(client);
    }
  }

  /** Resolves with undefined when `signal` aborts first: a slow target must not delay the session's end. */
  private async connect(
    secret: Readonly<Record<string, string>>,
    signal: AbortSignal,
    traceparent: string | undefined,
  ): Promise<Client | undefined> {
    if (signal.aborted) return undefined;
    const connecting = connectPostgres(secret, traceparent);
    let leave = (): void => undefined;
    const aborted = new Promise<void>((resolve) => {
      leave = resolve;
      signal.addEventListener('abort', leave, { once: true });
    });
    // A listener that stays would keep the script, its session and its sockets in memory.
    await Promise.race([connecting, aborted]).finally(() => signal.removeEventListener('abort', leave));
    if (!signal.aborted) return connecting;
    connecting.then(closePostgres).catch(() => undefined);
    return undefined;
  }

  private async query(client: Client, script: string, sink: OutputSink): Promise<number> {
    const query = new SimpleQuery(script, async (type, text, marks) => {
      if (!(await sink(type, text, marks))) throw new Unwanted();
    });
    client.on('notice', (notice) => query.handleNotice(notice as never));
    client.query(query);
    return (await query.done) ? EXIT_OK : EXIT_STATEMENT_FAILED;
  }

  /**
   * Cancels first, because a server notices a lost client only when it next writes to it. Disconnects after
   * the server has reported the script's outcome, because the outcome belongs in the recording.
   */
  private async stop(
    secret: Readonly<Record<string, string>>,
    client: Client,
    ran: Promise<unknown>,
  ): Promise<void> {
    const cancelled = cancelPostgres(secret, client).catch(() => undefined);
    const stopped = Promise.allSettled([cancelled, ran]);
    await resultWithin(stopped, CANCEL_WITHIN_MS);
    streamOf(client).destroy();
  }
}
