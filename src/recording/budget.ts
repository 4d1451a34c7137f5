/**
 * What a session is by what it would have waiting, in parts of all room: most have no more than a little, some have much, and
 * beyond that one is greedy. A single event of more than much is greedy, whoever it is of; and only that event is.
 */
const LITTLE = 1 / 256;
const MUCH = 1 / 8;
/** All that have a little, all that have much, and all that are greedy may fill so much of the room, with the larger ones. */
const FILLED = [1, 7 / 8, 1 / 2] as const;

type Level = 0 | 1 | 2;

interface Guest {
  readonly mayEnter: () => boolean;
  readonly enter: () => void;
}

/**
 * How much of the recordings may wait in memory to be stored. Beyond it whoever records has to wait, and so the target's
 * socket is not read: back-pressure, where others lose events.
 *
 * Whoever has more waiting waits first: half of the room is closed to sessions that fill an eighth of it by themselves, and a part
 * to all that have more than a little. So however much one session says, what others say is recorded.
 */
export class Budget {
  private readonly used: [number, number, number] = [0, 0, 0];
  private readonly queue: Guest[] = [];

  constructor(private readonly limit: number) {}

  /** For one session. */
  allowance(): Allowance {
    return new Allowance(this);
  }

  /** Of an event with which its session has so many bytes waiting. */
  levelOf(bytes: number): Level {
    if (bytes <= this.limit * LITTLE) return 0;
    return this.isGreedy(bytes) ? 2 : 1;
  }

  /** Whether that is greedy. */
  isGreedy(bytes: number): boolean {
    return bytes > this.limit * MUCH;
  }

  /** Whether one more may enter. It may go beyond; what it fills beyond is not taken from those that have less. */
  hasRoom(level: Level): boolean {
    let filled = 0;
    for (const at of [2, 1, 0] as const) {
      const most = this.limit * FILLED[at];
      filled += this.used[at];
      if (at <= level && filled >= most) return false;
      filled = Math.min(filled, most);
    }
    return true;
  }

  add(level: Level, bytes: number): void {
    this.used[level] += bytes;
  }

  /** Resolves once `mayEnter` says so, in the order of asking. Rejects when `until` aborts before. */
  wait(mayEnter: () => boolean, until: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.queue.splice(this.queue.indexOf(guest), 1);
        reject(new Error('it was over before there was room to record this'));
      };
      const enter = (): void => {
        until.removeEventListener('abort', leave);
        resolve();
      };
      const guest = { mayEnter, enter };
      this.queue.push(guest);
      until.addEventListener('abort', leave);
    });
  }

  /** Lets in whoever waits and has room now: somebody greedy may have to wait on while others go past. */
  serve(): void {
    let index = 0;
    for (let guest = this.queue[index]; guest !== undefined; guest = this.queue[index]) {
      if (guest.mayEnter()) {
        this.queue.splice(index, 1);
        guest.enter();
      } else index += 1;
    }
  }
}

/** Room that was taken for events that follow one another. */
interface Taken {
  readonly level: Level;
  /** It was one event, too large for what its session has to count. */
  readonly isApart: boolean;
  bytes: number;
}

/** What of the room one session has. */
export class Allowance {
  /** Without what is apart. */
  private bytes = 0;
  /** In the order of coming: what came first is stored first. */
  private readonly taken: Taken[] = [];

  constructor(private readonly budget: Budget) {}

  /** Takes room, if there is some. */
  take(bytes: number): boolean {
    const isApart = this.budget.isGreedy(bytes);
    const level = isApart ? 2 : this.budget.levelOf(this.bytes + bytes);
    if (!this.budget.hasRoom(level)) return false;
    let last = this.taken.at(-1);
    if (last?.level !== level || last.isApart || isApart)
      this.taken.push((last = { level, isApart, bytes: 0 }));
    this.change(last, bytes);
    return true;
  }

  /** Resolves when there is room: also for what alone is larger than all room. Rejects when `until` aborts while it waits. */
  async untilTaken(bytes: number, until: AbortSignal): Promise<void> {
    if (!this.take(bytes)) await this.budget.wait(() => this.take(bytes), until);
  }

  /** What came last turned out to be so much larger. */
  grow(bytes: number): void {
    const last = this.taken.at(-1);
    if (last !== undefined) this.change(last, bytes);
  }

  /** Gives back what was taken first. */
  free(bytes: number): void {
    let rest = bytes;
    for (let first = this.taken[0]; first !== undefined && rest > 0; first = this.taken[0]) {
      const part = Math.min(rest, first.bytes);
      this.change(first, -part);
      rest -= part;
      if (first.bytes === 0) this.taken.shift();
    }
    this.budget.serve();
  }

  private change(taken: Taken, bytes: number): void {
    taken.bytes += bytes;
    if (!taken.isApart) this.bytes += bytes;
    this.budget.add(taken.level, bytes);
  }
}
