import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/**
 * A kind of domain event: what happens in one module and has consequences in others, within the same transaction.
 * The module that publishes it declares it, and states who handles it, in which order.
 */
export class DomainEvent<Payload, Result = void> {
  /** Only for the compiler: two kinds of events with other payloads are two types. */
  declare protected readonly shape: (payload: Payload) => Result;

  /**
   * @param handlers The modules that handle it, in the order in which they do. The order of locks
   * (src/database/README.md) decides: what an earlier one locks comes before what a later one locks.
   */
  constructor(
    readonly name: string,
    readonly handlers: readonly string[],
  ) {}
}

type Handler = (db: EntityManager, payload: unknown) => Promise<unknown>;

/**
 * Dispatches domain events in the process. Handlers run one after another, in the transaction of whoever publishes: what
 * they throw rolls all of it back, so an event and its consequences are committed together or not at all.
 */
@Injectable()
export class DomainEvents {
  private readonly handlers = new Map<string, Map<string, Handler>>();

  /**
   * To be called once for each handler, when it is constructed.
   * @param module One of `event.handlers`, which has no handler yet.
   */
  handle<Payload, Result>(
    event: DomainEvent<Payload, Result>,
    module: string,
    handler: (db: EntityManager, payload: Payload) => Promise<Result>,
  ): void {
    const handlers = this.handlers.get(event.name) ?? new Map<string, Handler>();
    if (!event.handlers.includes(module))
      throw new Error(`${module} is not among the stated handlers of the event "${event.name}"`);
    if (handlers.has(module)) throw new Error(`${module} handles the event "${event.name}" already`);
    handlers.set(module, handler as Handler);
    this.handlers.set(event.name, handlers);
  }

  /**
   * Runs the handlers in the stated order. Returns what they return, in that order.
   * @throws Error when a stated handler is missing: access must not outlive its reason because a module was not loaded.
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
