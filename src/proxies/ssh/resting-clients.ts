import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PeriodicTask } from '../../kernel/async/periodic-task';
import { SignInServices } from '../kit/sign-in-services';

/** Time between two checks, which is also the longest time for which a client stays without a credential. */
const CHECK_EVERY_MS = 1_000;

/** A connection that may have no channel, so that no session ends with its credential. */
export interface RestingConnection {
  /** Whether nothing runs in the connection. */
  readonly isAtRest: boolean;
  /** Disconnects the client. */
  finish(): void;
}

/**
 * Disconnects clients whose credential ends while nothing runs in their connection, as in that of `ssh -N`.
 * Each credential of such a client is read once a second, one after another.
 */
@Injectable()
export class RestingClients implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(RestingClients.name);
  /** The ids of credentials by connection. */
  private readonly credentials = new Map<RestingConnection, string>();
  private readonly checking = new PeriodicTask({
    everyMs: CHECK_EVERY_MS,
    when: () => this.credentials.size > 0,
    work: () => this.check(),
    onError: (message) => this.log.warn(`The credentials of SSH clients cannot be read: ${message}`),
  });

  constructor(private readonly services: SignInServices) {}

  onApplicationBootstrap(): void {
    this.checking.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.checking.stop();
  }

  /** Returns a function that ends the checks of the client. */
  watch(connection: RestingConnection, credentialId: string): () => void {
    this.credentials.set(connection, credentialId);
    return () => void this.credentials.delete(connection);
  }

  private async check(): Promise<void> {
    const resting = [...this.credentials].filter(([{ isAtRest }]) => isAtRest);
    for (const id of new Set(resting.map(([, credentialId]) => credentialId))) {
      if ((await this.services.issued.find(id)) !== undefined) continue;
      for (const [connection, credentialId] of resting)
        if (credentialId === id && connection.isAtRest) connection.finish();
    }
  }
}
