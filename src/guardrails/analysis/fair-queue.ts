import type { JudgedFor } from '../../gate/ports/guardrails';

/**
 * Maximum numbers of waiting items: for one user, for one connection of a user, and for all users together.
 */
export interface WaitingLimits {
  readonly user: number;
  readonly connection: number;
  readonly all: number;
}

interface Owned {
  readonly owner: JudgedFor;
}

/**
 * Result of adding an item. `waits`: the item is in the queue, and may have evicted another item. `refused`:
 * the limit of the item's user or connection, or the limit for all users, is reached.
 */
export type Queued<Item> =
  | { readonly kind: 'waits'; readonly evicted: Item | undefined }
  | { readonly kind: 'refused'; readonly by: 'own limit' | 'limit for all' };

/**
 * A queue in which users take turns, then the connections of one user, then the sessions of one connection.
 * Items of one session are taken in order of arrival. When the queue is full, a new item may evict an item of
 * the user with the most items, so that a user with few items is not refused because of other users.
 */
export class FairQueue<Item extends Owned> {
  private readonly root = new RoundRobin<Item>();

  constructor(private readonly limits: WaitingLimits) {}

  get size(): number {
    return this.root.size;
  }

  add(item: Item): Queued<Item> {
    const { limits, root } = this;
    const path = pathOf(item);
    const [user, connection] = path;
    const own = root.sizeOf([user]);
    if (own >= limits.user || root.sizeOf([user, connection]) >= limits.connection)
      return { kind: 'refused', by: 'own limit' };
    let evicted: Item | undefined;
    if (root.size >= limits.all) {
      if (root.largest <= own + 1) return { kind: 'refused', by: 'limit for all' };
      evicted = root.newestOfLargest();
      if (evicted !== undefined) this.remove(evicted);
    }
    root.add(path, item);
    return { kind: 'waits', evicted };
  }

  /**
   * Takes the next item: from the first user for whom `mayHave` returns true, or else from the first user.
   * @param mayHave whether a user may have another item while other users wait.
   */
  next(mayHave: (userId: string) => boolean): Item | undefined {
    return this.root.take(mayHave) ?? this.root.take();
  }

  /** Removes an item. Returns false if it does not wait any more. */
  remove(item: Item): boolean {
    return this.root.remove(pathOf(item), item);
  }
}

function pathOf({ owner }: Owned): readonly [string, string, string] {
  return [owner.userId, owner.connectionId, owner.sessionId];
}

/**
 * A part of the queue. It has either the items of one session, or smaller parts that take turns. The first of
 * `parts` is next.
 */
class RoundRobin<Item> {
  size = 0;
  private readonly items = new Set<Item>();
  private readonly parts = new Map<string, RoundRobin<Item>>();

  sizeOf([name, ...rest]: readonly string[]): number {
    return name === undefined ? this.size : (this.parts.get(name)?.sizeOf(rest) ?? 0);
  }

  /** The size of the largest part. */
  get largest(): number {
    let most = 0;
    for (const { size } of this.parts.values()) most = Math.max(most, size);
    return most;
  }

  add([name, ...rest]: readonly string[], item: Item): void {
    this.size += 1;
    if (name === undefined) {
      this.items.add(item);
      return;
    }
    const part = this.parts.get(name) ?? new RoundRobin<Item>();
    this.parts.set(name, part);
    part.add(rest, item);
  }

  remove([name, ...rest]: readonly string[], item: Item): boolean {
    const part = name === undefined ? undefined : this.parts.get(name);
    const isRemoved = name === undefined ? this.items.delete(item) : (part?.remove(rest, item) ?? false);
    if (isRemoved) this.size -= 1;
    if (name !== undefined && part?.size === 0) this.parts.delete(name);
    return isRemoved;
  }

  take(mayTake: (name: string) => boolean = () => true): Item | undefined {
    for (const [name, part] of this.parts) {
      if (!mayTake(name)) continue;
      const item = part.take();
      this.size -= 1;
      // Moves the part behind all other parts.
      this.parts.delete(name);
      if (part.size > 0) this.parts.set(name, part);
      return item;
    }
    for (const item of this.items) {
      this.items.delete(item);
      this.size -= 1;
      return item;
    }
    return undefined;
  }

  newestOfLargest(): Item | undefined {
    if (this.parts.size === 0) return [...this.items].at(-1);
    const most = this.largest;
    for (const part of this.parts.values()) if (part.size === most) return part.newestOfLargest();
    return undefined;
  }
}
