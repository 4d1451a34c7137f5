import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/**
 * A kind of domain event: something that happens in one module and has consequences in others, in the same
 * transaction. The publishing module declares it, with its handlers in order.
 */
export class DomainEvent<Payload, Result = void> {
  /** Only for the compiler, so that events with different payloads have different types. */
  declare protected readonly shape: (payload: Payload) => Result;

  /**
   * @param handlers The modules that handle the event, in the order in which they run. The order must
   * follow the order of locks (src/platform/database/README.md): a handler must not lock rows that
   * come before the rows that an earlier handler locks.
   */
  constructor(
    readonly name: string,
    readonly handlers: readonly string[],
  ) {}
}

type Handler = (db: EntityManager, payload: unknown) => Promise<unknown>;

/**
 * Dispatches domain events in the process. Handlers run one after another in the
 * publisher's transaction. An error of a handler rolls back everything, so an event and
 * its consequences are committed together or not at all.
 */
@Injectable()
export class DomainEvents {
  private readonly handlers = new Map<string, Map<string, Handler>>();

  /**
   * Registers a handler. Each handler must call this once, in its constructor.
   * @param module one of `event.handlers` that has no handler yet.
   */
  handle<Payload, Result>(
    event: DomainEvent<Payload, Result>,
    module: string,
    handler: (db: EntityManager, payload: Payload) => Promise<Result>,
  ): void {
    const handlers = this.handlers.get(event.name) ?? new Map<string, Handler>();
    if (!event.handlers.includes(module))
      throw new Error(`${module} is not declared as a handler of the event "${event.name}"`);
    if (handlers.has(module)) throw new Error(`${module} already handles the event "${event.name}"`);
    handlers.set(module, handler as Handler);
    this.handlers.set(event.name, handlers);
  }

  /**
   * Runs the handlers in the declared order, and returns their results in that order.
   * @throws Error when a declared handler is missing, for example because its module was not loaded.
   * Otherwise access that the event should end would continue.
   */
  async publish<Payload, Result>(
    db: EntityManager,
    event: DomainEvent<Payload, Result>,
    payload: Payload,
  ): Promise<Result[]> {
    const results: Result[] = [];
    for (const module of event.handlers) {
      const handler = this.handlers.get(event.name)?.get(module);
      if (handler === undefined) throw new Error(`${module} does not handle the event "${event.name}"`);
      results.push((await handler(db, payload)) as Result);
    }
    return results;
  }
}
