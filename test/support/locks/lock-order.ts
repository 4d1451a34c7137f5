/**
 * Modes of row locks by PostgreSQL's names; `update` for advisory and table locks. `insert`: a new row with a
 * key that others may choose, too; `new`: one with a key of its own.
 */
export type LockMode = 'key share' | 'share' | 'no key update' | 'update' | 'insert' | 'new';

/** One lock that a transaction was given. */
export interface Lock {
  /** A table, `advisory <key>` or `table <table>`. */
  readonly resource: string;
  /** The key of the row, or the second key of an advisory lock. */
  readonly key: string;
  readonly mode: LockMode;
  /** false: with SKIP LOCKED. */
  readonly waits: boolean;
  /** The statement of the client at that moment. */
  readonly statement: string;
}

export interface Transaction {
  readonly operation: string;
  /** In the order in which they were taken. */
  readonly locks: readonly Lock[];
}

/** Two transactions, or two runs of one, that can deadlock. */
export interface Inversion {
  readonly steps: readonly Step[];
}

const CONFLICTS: Readonly<Record<LockMode, readonly LockMode[]>> = {
  'key share': ['update'],
  share: ['no key update', 'update'],
  'no key update': ['share', 'no key update', 'update'],
  update: ['key share', 'share', 'no key update', 'update'],
  // Locks of rows that are not committed yet: only an insert of the same key waits for them.
  insert: ['insert', 'update'],
  new: [],
};

/** Whether a request for the one mode waits while the other one is held on the same row. */
export function conflicts(asked: LockMode, held: LockMode): boolean {
  return CONFLICTS[asked].includes(held) && (held !== 'insert' || asked === 'insert');
}

/**
 * Resources whose locks are taken only by who holds a stronger one before: a row of the guard, which all rows
 * beneath it belong to. No transaction waits for them, so their order does not matter.
 */
export type Guards = Readonly<Record<string, readonly string[]>>;

/** Locks of guarded resources that were taken without their guard. */
export function unguardedOf(transactions: readonly Transaction[], guards: Guards): string[] {
  const faults = transactions.flatMap(({ operation, locks }) =>
    locks
      .filter(({ resource }, i) => {
        const guardedBy = guards[resource];
        return guardedBy !== undefined && !locks.slice(0, i).some((held) => isGuard(held, guardedBy));
      })
      .map(({ resource, statement }) => `${operation}: ${resource} <- ${statement}`),
  );
  return [...new Set(faults)];
}

/** No other transaction sees a new row, nor the rows that belong to it. */
function isGuard({ resource, mode }: Lock, guards: readonly string[]): boolean {
  return guards.includes(resource) && mode !== 'key share';
}

/** The transaction that holds the one and requests the other. */
export interface Step {
  readonly held: Lock;
  readonly asked: Lock;
  readonly by: Transaction;
}

/**
 * Every way in which the transactions could wait for each other in a circle, were they to run at once, each
 * on rows of its choice: nodes are held locks (resource and mode), edges lead to locks of other transactions
 * that a request would wait for. Rows of one resource are distinguished only where one transaction locks
 * several of them: those have to come in the order of their keys.
 */
export function inversionsOf(transactions: readonly Transaction[], guards: Guards = {}): Inversion[] {
  const edges = new Map<string, Map<string, Step>>();
  for (const { step, mode } of waitingSteps(transactions, guards)) {
    const from = node(step.held.resource, step.held.mode);
    const targets = edges.get(from) ?? new Map<string, Step>();
    const to = node(step.asked.resource, mode);
    if (!targets.has(to)) targets.set(to, step);
    edges.set(from, targets);
  }
  return [...edges.keys()].flatMap((start) => shortestCircle(edges, start) ?? []);
}

/**
 * Every pair of resources of which a transaction holds the first while it may
 * wait for the second, with an example.
 */
export function orderOf(transactions: readonly Transaction[], guards: Guards = {}): Map<string, Step> {
  const pairs = new Map<string, Step>();
  for (const { step } of waitingSteps(transactions, guards)) {
    const pair = `${step.held.resource} → ${step.asked.resource}`;
    if (!pairs.has(pair)) pairs.set(pair, step);
  }
  return pairs;
}

/** With the mode in which another transaction may hold the requested lock. */
function waitingSteps(
  transactions: readonly Transaction[],
  guards: Guards,
): { readonly step: Step; readonly mode: LockMode }[] {
  const all = transactions.map((transaction) => ({
    ...transaction,
    locks: newLocks(transaction.locks).filter(({ resource }) => guards[resource] === undefined),
  }));
  const locks = all.flatMap((transaction) => transaction.locks);
  const held = modesOf(locks);
  const asked = modesOf(locks.filter(({ waits }) => waits));
  const isWaitedFor = ({ resource, mode }: Lock): boolean =>
    (asked.get(resource) ?? []).some((other) => conflicts(other, mode));
  return all
    .flatMap(stepsOf)
    .filter((step) => isWaitedFor(step.held))
    .flatMap((step) =>
      (held.get(step.asked.resource) ?? [])
        .filter((mode) => waitsFor(step, mode))
        .map((mode) => ({ step, mode })),
    );
}

/** The modes in which each resource is locked. */
function modesOf(locks: readonly Lock[]): Map<string, LockMode[]> {
  const modes = new Map<string, Set<LockMode>>();
  for (const { resource, mode } of locks) modes.set(resource, (modes.get(resource) ?? new Set()).add(mode));
  return new Map([...modes].map(([resource, all]) => [resource, [...all]]));
}

/** Whether another transaction may hold the requested row in that mode at this step. */
function waitsFor({ held, asked }: Step, mode: LockMode): boolean {
  if (!asked.waits || !conflicts(asked.mode, mode)) return false;
  // No other transaction holds a conflicting lock of a row that is held already.
  return !isSameRow(held, asked) || !conflicts(held.mode, mode);
}

function node(resource: string, mode: LockMode): string {
  return `${resource} (${mode})`;
}

/** Without those of a lock that the transaction has already, as strong or stronger: those do not wait. */
function newLocks(locks: readonly Lock[]): Lock[] {
  return locks.filter(
    (lock, i) =>
      !locks
        .slice(0, i)
        .some((held) => isSameRow(held, lock) && STRENGTH.indexOf(held.mode) >= STRENGTH.indexOf(lock.mode)),
  );
}

/** No other transaction sees a new row, so locks of it do not wait. */
const STRENGTH: readonly LockMode[] = ['key share', 'share', 'no key update', 'update', 'insert', 'new'];

function isSameRow(a: Lock, b: Lock): boolean {
  return a.resource === b.resource && a.key === b.key;
}

/** Each requested lock with each lock that was held then; of rows of one resource only those out of order. */
function stepsOf(by: Transaction): Step[] {
  return by.locks.flatMap((asked, i) =>
    by.locks
      .slice(0, i)
      .filter((held) => held.resource !== asked.resource || held.key >= asked.key)
      .map((held) => ({ held, asked, by })),
  );
}

function shortestCircle(
  edges: ReadonlyMap<string, ReadonlyMap<string, Step>>,
  start: string,
): Inversion | undefined {
  const cameBy = new Map<string, { from: string; step: Step }>();
  const open = [start];
  for (let from = open.shift(); from !== undefined; from = open.shift()) {
    for (const [to, step] of edges.get(from) ?? []) {
      if (to === start) return { steps: [...pathTo(cameBy, start, from), step] };
      if (cameBy.has(to)) continue;
      cameBy.set(to, { from, step });
      open.push(to);
    }
  }
  return undefined;
}

function pathTo(
  cameBy: ReadonlyMap<string, { from: string; step: Step }>,
  start: string,
  end: string,
): Step[] {
  const steps: Step[] = [];
  for (let at = end; at !== start;) {
    const came = cameBy.get(at);
    if (came === undefined) break;
    steps.unshift(came.step);
    at = came.from;
  }
  return steps;
}

/** The transactions of a circle: what each holds and requests, and by which statements. */
export function describeInversion({ steps }: Inversion): string {
  const all = [...new Set(steps.map(({ by }) => by))].map(describeTransaction);
  return [steps.map(describeStep).join('\n  while '), ...all].join('\n');
}

/**
 * Every lock in its order: whether a row was locked before, under another key
 * or in a weaker mode, is seen here alone.
 */
function describeTransaction({ operation, locks }: Transaction): string {
  const lines = locks.map(
    ({ resource, key, mode, statement }) => `    ${resource} [${key}] ${mode}  <- ${statement}`,
  );
  return [`  all locks of ${operation}`, ...lines].join('\n');
}

export function describeStep({ held, asked, by }: Step): string {
  const told = (lock: Lock): string => `${lock.resource} [${lock.key}] ${lock.mode}  <- ${lock.statement}`;
  return `${by.operation}\n    holds ${told(held)}\n    asks  ${told(asked)}`;
}
