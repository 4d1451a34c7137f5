/**
 * Modes of row locks, as PostgreSQL names them. Advisory and table locks count as `update`. `insert`: a new
 * row whose key another transaction could insert too. `new`: a new row with a generated key.
 */
export type LockMode = 'key share' | 'share' | 'no key update' | 'update' | 'insert' | 'new';

/** A lock that a transaction acquired. */
export interface Lock {
  /** The table of a row lock, `advisory <key>`, or `table <table>` for a table lock. */
  readonly resource: string;
  /** The key of the row, or the second key of an advisory lock. */
  readonly key: string;
  readonly mode: LockMode;
  /** False if the request never waits, as with SKIP LOCKED. */
  readonly waits: boolean;
  /** The client's statement when the lock was acquired. */
  readonly statement: string;
}

export interface Transaction {
  readonly operation: string;
  /** The locks of the transaction, in the order in which it acquired them. */
  readonly locks: readonly Lock[];
}

/** Transactions, or two runs of one transaction, that can deadlock with each other. */
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

/** Whether a request for mode `asked` waits while another transaction holds mode `held` on the same row. */
export function conflicts(asked: LockMode, held: LockMode): boolean {
  return CONFLICTS[asked].includes(held) && (held !== 'insert' || asked === 'insert');
}

/**
 * Guarded resources, each with its guards. A row of a guarded resource belongs to a row of its guard. A
 * transaction must lock the guard's row first, with a stronger lock than KEY SHARE. Then no other transaction
 * waits for locks of the guarded rows, so their order does not matter.
 */
export type Guards = Readonly<Record<string, readonly string[]>>;

/** Returns the locks of guarded resources that a transaction acquired without a lock on the guard. */
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

/**
 * Whether the lock is on a guard. A new row counts too, because no other transaction sees the row, or the
 * rows that belong to it.
 */
function isGuard({ resource, mode }: Lock, guards: readonly string[]): boolean {
  return guards.includes(resource) && mode !== 'key share';
}

/** A transaction that holds one lock and requests another. */
export interface Step {
  readonly held: Lock;
  readonly asked: Lock;
  readonly by: Transaction;
}

/**
 * Finds every cycle in which the transactions could wait for each other, if they ran concurrently on any
 * rows. Nodes of the graph are held locks (resource and mode). Edges lead to locks of other transactions for
 * which a request would wait. Rows of one resource are distinguished only if one transaction locks several
 * of them; that transaction must lock them in the order of their keys.
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
 * Returns pairs of resources with an example of each: a transaction holds the first resource while it may
 * wait for the second.
 */
export function orderOf(transactions: readonly Transaction[], guards: Guards = {}): Map<string, Step> {
  const pairs = new Map<string, Step>();
  for (const { step } of waitingSteps(transactions, guards)) {
    const pair = `${step.held.resource} → ${step.asked.resource}`;
    if (!pairs.has(pair)) pairs.set(pair, step);
  }
  return pairs;
}

/** Returns steps that may wait, each with a mode that another transaction may hold on the requested row. */
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

/** Whether the step waits while another transaction holds the requested row in `mode`. */
function waitsFor({ held, asked }: Step, mode: LockMode): boolean {
  if (!asked.waits || !conflicts(asked.mode, mode)) return false;
  // While this transaction holds a lock on the row, no other transaction holds a conflicting lock on it.
  return !isSameRow(held, asked) || !conflicts(held.mode, mode);
}

function node(resource: string, mode: LockMode): string {
  return `${resource} (${mode})`;
}

/**
 * Leaves out each lock on a row for which the transaction already holds an equal or stronger lock, because a
 * request for it does not wait.
 */
function newLocks(locks: readonly Lock[]): Lock[] {
  return locks.filter(
    (lock, i) =>
      !locks
        .slice(0, i)
        .some((held) => isSameRow(held, lock) && STRENGTH.indexOf(held.mode) >= STRENGTH.indexOf(lock.mode)),
  );
}

/** Modes from weak to strong. `new` is the strongest, because no other transaction sees a new row. */
const STRENGTH: readonly LockMode[] = ['key share', 'share', 'no key update', 'update', 'insert', 'new'];

function isSameRow(a: Lock, b: Lock): boolean {
  return a.resource === b.resource && a.key === b.key;
}

/** Pairs each lock with each earlier lock. Pairs rows of one resource only if they are out of key order. */
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

/** Describes the transactions of a cycle: the locks that each holds and requests, and the statements. */
export function describeInversion({ steps }: Inversion): string {
  const all = [...new Set(steps.map(({ by }) => by))].map(describeTransaction);
  return [steps.map(describeStep).join('\n  while '), ...all].join('\n');
}

/**
 * Lists all locks in order. Only this list shows whether a row was locked earlier under another key or in a
 * weaker mode.
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
