import type { ApprovalRule } from '../../../src/gate/ports/access-decider';
import type { Principal } from '../../../src/kernel/principal';
import { type Hours, type Name, type World, windowOf } from './world';

/** The reply to an action: `ok`, or the code of the refusal. */
export type Reply = 'ok' | 'not_found' | 'forbidden' | 'conflict' | 'unprocessable';

/** The visible state of a review. Users cannot distinguish two reviews with equal states. */
export interface Seen {
  readonly status: string;
  readonly votes: Readonly<Record<string, string>>;
  readonly window: object | null;
  readonly isOver: boolean;
  /** Status of the session that waits for the review. */
  readonly session: 'open' | 'ready' | 'done';
  readonly executions: number;
}

interface Voice {
  readonly no: boolean;
  readonly groups: Set<string>;
  force: boolean;
  hours: Hours | null;
}

const STILL_OPEN = ['PENDING', 'APPROVED'];

/**
 * Reference model of a review. It is a simple implementation of the specification, the contract and README.md
 * of src/approvals/reviews, without code from there. It represents a time window as a set of hours, and
 * counts groups one by one.
 */
export class ReviewModel {
  status = 'PENDING';
  hoursLeft = 72;
  hasConnection = true;
  executions = 0;
  readonly voices = new Map<Name, Voice>();

  constructor(readonly world: World) {}

  approve(name: Name, force: boolean, hours: Hours | null): Reply {
    const who = this.world.people[name];
    if (!this.mayLook(name)) return 'not_found';
    if (name === 'asker' || who.identityType === 'machine') return 'forbidden';
    const mayForce = this.world.rules.some((rule) => share(rule.forceApprovalGroups, who.groups));
    const mayVote = this.world.rules.some((rule) => share(votersIn(rule), who.groups));
    if (force ? !mayForce : !mayVote) return 'forbidden';
    if (this.status !== 'PENDING' || this.hoursLeft <= 0 || !this.hasConnection) return 'conflict';
    const before = this.voices.get(name);
    const voice: Voice = {
      no: false,
      groups: new Set([...(before?.groups ?? []), ...this.namedOf(who)]),
      force: force || before?.force === true,
      hours: hours ?? before?.hours ?? null,
    };
    const voices = new Map(this.voices).set(name, voice);
    if (stretches(voices) > 1 || stretches(voices) === 0) return 'unprocessable';
    this.voices.set(name, voice);
    if (this.world.rules.every((rule) => this.isContent(rule))) {
      this.status = 'APPROVED';
      this.hoursLeft = 24;
    }
    return 'ok';
  }

  reject(name: Name): Reply {
    const no = this.sayNo(name, ['PENDING']);
    if (no !== 'ok') return no;
    this.status = 'REJECTED';
    const who = this.world.people[name];
    if (who.identityType === 'user') {
      const before = this.voices.get(name);
      this.voices.set(name, {
        no: true,
        groups: new Set([...(before?.groups ?? []), ...this.namedOf(who)]),
        force: false,
        hours: before?.hours ?? null,
      });
    }
    return 'ok';
  }

  revoke(name: Name): Reply {
    const no = this.sayNo(name, STILL_OPEN);
    if (no === 'ok') this.status = 'REVOKED';
    return no;
  }

  take(isRightInput: boolean): Reply {
    if (this.status !== 'APPROVED' || this.hoursLeft <= 0 || !isRightInput || !this.isNow())
      return 'conflict';
    this.status = 'PROCESSING';
    this.executions += 1;
    return 'ok';
  }

  executed(): Reply {
    if (this.status === 'PROCESSING') this.status = 'EXECUTED';
    return 'ok';
  }

  sweep(): Reply {
    if (STILL_OPEN.includes(this.status) && this.hoursLeft <= 0) this.status = 'EXPIRED';
    return 'ok';
  }

  seen(): Seen {
    const common = hoursOf(this.voices);
    const begins = common?.find((hour) => !common.includes((hour + 23) % 24));
    return {
      status: this.status,
      votes: Object.fromEntries(
        [...this.voices].map(([name, { no, groups, force }]) => [
          this.world.people[name].userId,
          `${no ? 'REJECTED' : 'APPROVED'} ${[...groups].toSorted().join('')}${force ? '!' : ''}`,
        ]),
      ),
      window:
        common === undefined || begins === undefined
          ? null
          : windowOf({ from: begins, to: begins + common.length }, this.world.hour),
      isOver: !STILL_OPEN.includes(this.status) && this.status !== 'PROCESSING',
      session: this.session(),
      executions: this.executions,
    };
  }

  /** Returns the session's state. The model runs no script, so an approved script stays ready. */
  private session(): Seen['session'] {
    if (this.status === 'PENDING') return 'open';
    return ['APPROVED', 'PROCESSING', 'EXECUTED'].includes(this.status) ? 'ready' : 'done';
  }

  private sayNo(name: Name, states: readonly string[]): Reply {
    if (!this.mayLook(name)) return 'not_found';
    const who = this.world.people[name];
    const isPerson = who.identityType === 'user';
    const isAllowed = name === 'asker' || who.role === 'admin' || (isPerson && this.namedOf(who).length > 0);
    if (!isAllowed) return 'forbidden';
    return states.includes(this.status) && this.hoursLeft > 0 ? 'ok' : 'conflict';
  }

  private mayLook(name: Name): boolean {
    const who = this.world.people[name];
    return name === 'asker' || who.role === 'admin' || this.namedOf(who).length > 0;
  }

  private namedOf(who: Principal): string[] {
    return who.groups.filter((group) =>
      this.world.rules.some((rule) => [...votersIn(rule), ...rule.forceApprovalGroups].includes(group)),
    );
  }

  private isContent(rule: ApprovalRule): boolean {
    const voices = [...this.voices.values()];
    for (const { force, groups } of voices) {
      if (force && rule.forceApprovalGroups.some((group) => groups.has(group))) return true;
    }
    const counted = voices.filter(({ groups }) => votersIn(rule).some((group) => groups.has(group)));
    const heard = (group: string): boolean => counted.some(({ groups }) => groups.has(group));
    if (rule.allGroupsMustApprove) {
      const must =
        rule.approvalRequiredGroups.length > 0 ? rule.approvalRequiredGroups : rule.reviewersGroups;
      for (const group of must) if (!heard(group)) return false;
      return counted.length >= (rule.minApprovals ?? 0);
    }
    if (rule.approvalRequiredGroups.length > 0 && !rule.approvalRequiredGroups.some(heard)) return false;
    if (rule.minApprovals === 0) return false;
    return counted.length >= (rule.minApprovals ?? 1);
  }

  private isNow(): boolean {
    return hoursOf(this.voices)?.includes(0) ?? true;
  }
}

function votersIn(rule: ApprovalRule): string[] {
  return [...rule.reviewersGroups, ...rule.approvalRequiredGroups];
}

function share(left: readonly string[], right: readonly string[]): boolean {
  return left.some((one) => right.includes(one));
}

/** The intersection of all given hours; undefined if none were given. */
function hoursOf(voices: ReadonlyMap<Name, Voice>): number[] | undefined {
  const given = [...voices.values()].flatMap(({ no, hours }) => (no && hours === null ? [] : (hours ?? [])));
  if (given.length === 0) return undefined;
  const lies = (hour: number, { from, to }: Hours): boolean =>
    from < to ? from <= hour && hour < to : hour >= from || hour < to;
  return [...Array(24).keys()].filter((hour) => given.every((hours) => lies(hour, hours)));
}

function stretches(voices: ReadonlyMap<Name, Voice>): number {
  const hours = hoursOf(voices);
  if (hours === undefined) return 1;
  return hours.filter((hour) => !hours.includes((hour + 23) % 24)).length;
}
