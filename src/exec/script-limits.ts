import { Injectable } from '@nestjs/common';
import { ScriptSettings } from '../config/groups';
import type { Reserve } from '../gate/gate';
import { AppError } from '../kernel/app-error';
import { HolderCounts } from '../kernel/holder-counts';

const RETRY_AFTER_SECONDS = 5;

/**
 * Counts the scripts that run in this process: those of each person or machine, those on each connection. Each takes a connection to its
 * target, of which the target has few, and others need some, too.
 */
@Injectable()
export class ScriptLimits {
  private readonly running = new HolderCounts();

  constructor(private readonly settings: ScriptSettings) {}

  /** Counts a script. Returns how to give its place back; that is idempotent. @throws AppError `too_many_requests` */
  enter(userId: string, connectionId: string): () => void {
    const { perUser, perConnection } = this.settings;
    const [user, connection] = [`user ${userId}`, `connection ${connectionId}`];
    if (this.running.of(user) >= perUser)
      throw tooMany(`${perUser} scripts of yours are running, and no more may at one time`);
    if (this.running.of(connection) >= perConnection)
      throw tooMany(`${perConnection} scripts are running on this connection, and no more may at one time`);
    return this.running.add(user, connection);
  }
}

function tooMany(why: string): AppError {
  const retryAfterSeconds = RETRY_AFTER_SECONDS;
  return new AppError('too_many_requests', `${why}; try again when one has ended`, { retryAfterSeconds });
}

/** A script's place: taken when it may run, kept for as long as it does. */
export class ScriptPlace {
  private leave: (() => void) | undefined;
  private isRunning = false;

  constructor(private readonly limits: ScriptLimits) {}

  /** @throws AppError `too_many_requests` */
  readonly reserve: Reserve = ({ userId }, { id }) => {
    this.leave = this.limits.enter(userId, id);
  };

  /** However long it takes: nobody may wait for it any more. */
  whileRunning<T>(execution: Promise<T>): Promise<T> {
    this.isRunning = true;
    return execution.finally(() => this.leave?.());
  }

  leaveUnlessRunning(): void {
    if (!this.isRunning) this.leave?.();
  }
}
