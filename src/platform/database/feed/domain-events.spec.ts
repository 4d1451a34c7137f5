import type { EntityManager } from 'typeorm';
import { DomainEvent, DomainEvents } from './domain-events';

const db = { transaction: 'of the publisher' } as unknown as EntityManager;
const deleted = new DomainEvent<{ id: string }, string>('deleted', ['first', 'second']);

describe('DomainEvents', () => {
  it('runs handlers in the stated order, whatever the order of registration, in the transaction of the publisher', async () => {
    const events = new DomainEvents();
    const seen: unknown[] = [];
    for (const module of ['second', 'first']) {
      events.handle(deleted, module, async (manager, { id }) => {
        seen.push([module, manager, id]);
        return module;
      });
    }
    await expect(events.publish(db, deleted, { id: '7' })).resolves.toEqual(['first', 'second']);
    expect(seen).toEqual([
      ['first', db, '7'],
      ['second', db, '7'],
    ]);
  });

  it('does not start a handler before the one before it is done', async () => {
    const events = new DomainEvents();
    const seen: string[] = [];
    events.handle(deleted, 'first', async () => {
      await new Promise(setImmediate);
      seen.push('first is done');
      return '';
    });
    events.handle(deleted, 'second', async () => {
      seen.push('second starts');
      return '';
    });
    await events.publish(db, deleted, { id: '7' });
    expect(seen).toEqual(['first is done', 'second starts']);
  });

  it('throws what a handler throws, and runs no later one', async () => {
    const events = new DomainEvents();
    const second = jest.fn();
    events.handle(deleted, 'first', () => Promise.reject(new Error('no')));
    events.handle(deleted, 'second', second);
    await expect(events.publish(db, deleted, { id: '7' })).rejects.toThrow('no');
    expect(second).not.toHaveBeenCalled();
  });

  it('publishes nothing that a stated handler would miss', async () => {
    const events = new DomainEvents();
    events.handle(deleted, 'first', async () => '');
    await expect(events.publish(db, deleted, { id: '7' })).rejects.toThrow(
      'second does not handle the event "deleted"',
    );
  });

  it('takes no handler that is not stated, and none twice', () => {
    const events = new DomainEvents();
    events.handle(deleted, 'first', async () => '');
    expect(() => events.handle(deleted, 'first', async () => '')).toThrow('already');
    expect(() => events.handle(deleted, 'third', async () => '')).toThrow('is not declared as a handler');
  });
});
