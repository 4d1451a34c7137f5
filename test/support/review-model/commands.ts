import * as fc from '../fast-check';
import type { Reply, ReviewModel, Seen } from './model';
import { CAST, HOURS, type Hours, type Name, groups } from './world';

/** A review under test: the state machine alone, or the services with their database. */
export interface ReviewSystem {
  approve(name: Name, force: boolean, hours: Hours | null): Promise<Reply>;
  reject(name: Name): Promise<Reply>;
  revoke(name: Name): Promise<Reply>;
  /** Claims the approval for an execution of the approved input, or of another input. */
  take(isRightInput: boolean): Promise<Reply>;
  executed(): Promise<Reply>;
  /** Advances the time. */
  pass(hours: number): Promise<void>;
  /** The periodic work of gateways: ends overdue reviews. */
  sweep(): Promise<Reply>;
  dropConnection(): Promise<void>;
  seen(): Promise<Seen>;
}

type Model = ReviewModel;
/** Counters for the report about a run of random commands. */
export interface Tally {
  steps: number;
  replies: Record<string, number>;
  ends: Record<string, number>;
  executions: number;
}

class ReviewModelCommand implements fc.AsyncCommand<Model, ReviewSystem> {
  constructor(
    private readonly text: string,
    private readonly tally: Tally,
    private readonly model: (model: Model) => Reply,
    private readonly real: (real: ReviewSystem) => Promise<Reply>,
  ) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, real: ReviewSystem): Promise<void> {
    const expected = this.model(model);
    const reply = await this.real(real);
    this.tally.steps += 1;
    this.tally.replies[reply] = (this.tally.replies[reply] ?? 0) + 1;
    expect(reply).toBe(expected);
    expect(await real.seen()).toEqual(model.seen());
  }

  toString(): string {
    return this.text;
  }
}

const names = fc.constantFrom(...CAST);
/** Draws names of people, mostly of people who may vote. */
const voters = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<Name[]>('ann', 'ben', 'cyd', 'dan', 'eve') },
  names,
);
const hours = fc.oneof(fc.constant(null), fc.constantFrom(...HOURS));

/** Returns all commands. Approvals are more frequent than rejections, so that reviews progress. */
export function commandsFor(tally: Tally): fc.Arbitrary<fc.AsyncCommand<Model, ReviewSystem>>[] {
  const word = (
    text: string,
    model: (model: Model) => Reply,
    real: (real: ReviewSystem) => Promise<Reply>,
  ): ReviewModelCommand => new ReviewModelCommand(text, tally, model, real);
  const approve = fc
    .tuple(voters, fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)), hours)
    .map(([name, force, when]) =>
      word(
        `${name} approves${force ? ' by force' : ''}${when === null ? '' : ` from ${when.from} to ${when.to}`}`,
        (model) => model.approve(name, force, when),
        (real) => real.approve(name, force, when),
      ),
    );
  const reject = names.map((name) =>
    word(
      `${name} rejects`,
      (model) => model.reject(name),
      (real) => real.reject(name),
    ),
  );
  const revoke = names.map((name) =>
    word(
      `${name} revokes`,
      (model) => model.revoke(name),
      (real) => real.revoke(name),
    ),
  );
  const take = fc.constantFrom(true, true, true, false).map((isRight) =>
    word(
      `takes ${isRight ? 'it' : 'another'}`,
      (model) => model.take(isRight),
      (real) => real.take(isRight),
    ),
  );
  return [...Array<typeof approve>(9).fill(approve), reject, revoke, take, take, take, ...chores(word)];
}

function chores(
  word: (
    text: string,
    model: (model: Model) => Reply,
    real: (real: ReviewSystem) => Promise<Reply>,
  ) => fc.AsyncCommand<Model, ReviewSystem>,
): fc.Arbitrary<fc.AsyncCommand<Model, ReviewSystem>>[] {
  const executed = fc.constant(
    word(
      'it was executed',
      (model) => model.executed(),
      (real) => real.executed(),
    ),
  );
  const sweep = fc.constant(
    word(
      'what is over is ended',
      (model) => model.sweep(),
      (real) => real.sweep(),
    ),
  );
  const pass = fc.constantFrom(1, 5, 23, 49).map((passed) =>
    word(
      `${passed} hours pass`,
      (model) => {
        model.hoursLeft -= passed;
        return 'ok';
      },
      async (real) => {
        await real.pass(passed);
        return 'ok';
      },
    ),
  );
  const drop = fc.constantFrom(...Array<boolean>(9).fill(false), true).map((isDropped) =>
    word(
      isDropped ? 'the connection is deleted' : 'nothing happens',
      (model) => {
        if (isDropped) model.hasConnection = false;
        return 'ok';
      },
      async (real) => {
        if (isDropped) await real.dropConnection();
        return 'ok';
      },
    ),
  );
  // Changes groups only through the model, because the real system reads the same `world` object.
  const regroup = fc.tuple(fc.constantFrom<Name[]>('ann', 'ben', 'cyd'), groups).map(([name, own]) =>
    word(
      `${name} is in ${own.join('')} now`,
      (model) => {
        const { people } = model.world;
        people[name] = { ...people[name], groups: own };
        return 'ok';
      },
      async () => 'ok',
    ),
  );
  return [executed, sweep, pass, drop, regroup];
}
