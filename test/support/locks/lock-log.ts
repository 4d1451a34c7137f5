import type { Lock, LockMode, Transaction } from './lock-order';
import type { WalRecord } from './wal-record';

interface Running {
  readonly operation: string;
  readonly locks: { readonly place: number; readonly lock: Lock }[];
  statement: string;
  /** True for transactions of the test itself, not of the gateway. */
  isForeign: boolean;
  /** The key of the row that the transaction inserts next. */
  newKey: string;
}

/** Follows rows from version to version, and collects the locks of each transaction. */
export class LockLog {
  private readonly running = new Map<string, Running>();
  private readonly done: Transaction[] = [];
  private operation = 'the start';
  private place = 0;
  /** Lock modes in a multixact (a set of transactions that lock one row): `<set> <transaction>` → mode. */
  private readonly members = new Map<string, LockMode>();

  constructor(
    /** The position of the current version of each row → the row's key. */
    private readonly rows: Map<string, string>,
    private readonly names: ReadonlyMap<string, string>,
    private readonly chosenKeys: ReadonlySet<string>,
  ) {}

  ended(): Transaction[] {
    return this.done.filter(({ locks }) => locks.length > 0);
  }

  read(record: WalRecord): void {
    switch (record.kind) {
      case 'message':
        return this.message(record.xid, record.prefix, record.content);
      case 'lockers':
        for (const [xid, mode] of record.members) this.members.set(`${record.set} ${xid}`, mode);
        return;
      case 'insert':
        return this.insert(record.xid, record.at);
      case 'update': {
        const key = this.keyOf(record.from);
        this.rows.set(record.to, key);
        return this.lock(record.xid, record.from, key, record.mode);
      }
      case 'lock':
        return this.lock(
          record.xid,
          record.at,
          this.keyOf(record.at),
          record.mode ?? this.members.get(`${record.set} ${record.xid}`) ?? 'update',
        );
      case 'table':
        return this.table(record.xid, this.nameOf(record.file));
      case 'end':
        return this.end(record.xid, record.parts);
    }
  }

  private message(xid: string, prefix: string, content: string): void {
    if (prefix === 'operation') this.operation = content;
    if (prefix === 'statement') this.at(xid).statement = content;
    if (prefix === 'foreign') this.at(xid).isForeign = true;
    if (prefix === 'row') this.at(xid).newKey = content;
    if (prefix !== 'advisory' && prefix !== 'holds') return;
    const [name = '', key = ''] = content.split(' ');
    this.add(xid, { resource: `advisory ${name}`, key, mode: 'update' }, prefix === 'advisory');
  }

  private insert(xid: string, at: string): void {
    const { newKey } = this.at(xid);
    this.rows.set(at, newKey);
    const isChosen = this.chosenKeys.has(this.nameOf(at.split(' ')[0] ?? '') ?? '');
    this.lock(xid, at, newKey, isChosen ? 'insert' : 'new');
  }

  private lock(xid: string, at: string, key: string, mode: LockMode): void {
    const resource = this.nameOf(at.split(' ')[0] ?? '');
    if (resource === undefined) return;
    // Each row of `row_totals` belongs to one counted table, so it counts as a separate resource.
    const kept = resource === 'row_totals' ? `row_totals ${key.split(' ')[1]}` : resource;
    this.add(xid, { resource: kept, key, mode });
  }

  /**
   * Adds a table lock. Skips a table without a name: either this transaction created it, or it was dropped
   * meanwhile, so no other transaction requests its lock.
   */
  private table(xid: string, name: string | undefined): void {
    if (name !== undefined) this.add(xid, { resource: `table ${name}`, key: '', mode: 'update' });
  }

  private nameOf(file: string): string | undefined {
    return this.names.get(file);
  }

  private keyOf(at: string): string {
    return this.rows.get(at) ?? `unknown ${at}`;
  }

  private add(xid: string, lock: Omit<Lock, 'statement' | 'waits'>, waits = true): void {
    const { locks, statement } = this.at(xid);
    const isPassedOver = statement.includes('SKIP LOCKED');
    const kept = { ...lock, waits: waits && !isPassedOver, statement: statement.slice(0, 200) };
    locks.push({ place: this.place++, lock: kept });
  }

  private at(xid: string): Running {
    const known = this.running.get(xid);
    if (known !== undefined) return known;
    const begun: Running = {
      operation: this.operation,
      locks: [],
      statement: '',
      isForeign: false,
      newKey: '',
    };
    this.running.set(xid, begun);
    return begun;
  }

  /** Ends a transaction, and adds the locks of its savepoints, which have transaction ids of their own. */
  private end(xid: string, parts: readonly string[]): void {
    const all = [xid, ...parts].flatMap((each) => this.running.get(each) ?? []);
    for (const each of [xid, ...parts]) this.running.delete(each);
    const [first] = all;
    if (first === undefined || all.some(({ isForeign }) => isForeign)) return;
    const locks = all.flatMap((part) => part.locks).toSorted((a, b) => a.place - b.place);
    this.done.push({ operation: first.operation, locks: locks.map(({ lock }) => lock) });
  }
}
