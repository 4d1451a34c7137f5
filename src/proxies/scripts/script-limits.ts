import { Injectable } from '@nestjs/common';
import { ScriptSettings } from '../../platform/config/groups';
import type { Reserve } from '../../gate/gate';
import { AppError } from '../../kernel/app-error';
import { HolderCounts } from '../../kernel/async/holder-counts';

const RETRY_AFTER_SECONDS = 5;

/**
 * Limits the scripts that run in this process, for each person or machine and for each connection. Each
 * script uses a connection to its target. A target allows a limited number of connections, and its other
 * clients need some of them.
 */
@Injectable()
export class ScriptLimits {
  private readonly running = new HolderCounts();

  constructor(private readonly settings: ScriptSettings) {}

  /**
   * Counts a script in the limits. Returns an idempotent function that stops counting the script.
   * @throws AppError `too_many_requests`
   */
  enter(userId: string, connectionId: string): () => void {
    const { perUser, perConnection } = this.settings;
    const [user, connection] = [`user ${userId}`, `connection ${connectionId}`];
    if (this.running.of(user) >= perUser)
      throw tooMany(`you already have ${perUser} running scripts, which is the limit`);
    if (this.running.of(connection) >= perConnection)
      throw tooMany(`this connection already has ${perConnection} running scripts, which is the limit`);
    return this.running.add(user, connection);
  }
}

function tooMany(why: string): AppError {
  const retryAfterSeconds = RETRY_AFTER_SECONDS;
  return new AppError('too_many_requests', `${why}; try again when one has ended`, { retryAfterSeconds });
}

/**
 * A script's place in the limits of scripts, reserved before the script starts and released when it has
 * ended.
 */
export class ScriptPlace {
  private leave: (() => void) | undefined;
  private isRunning = false;

  constructor(private readonly limits: ScriptLimits) {}

  /** Reserves the place. @throws AppError `too_many_requests` */
  readonly reserve: Reserve = ({ userId }, { id }) => {
    this.leave = this.limits.enter(userId, id);
  };

  /** Keeps the place until the execution has ended, even if the caller no longer waits for it. */
  whileRunning<T>(execution: Promise<T>): Promise<T> {
    this.isRunning = true;
    return execution.finally(() => this.leave?.());
  }

  leaveUnlessRunning(): void {
    if (!this.isRunning) this.leave?.();
  }
}
