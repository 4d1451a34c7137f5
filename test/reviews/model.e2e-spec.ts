import { appendFile } from 'node:fs/promises';
import * as fc from '../support/fast-check';
import { describeGateway } from '../support/describe';
import { type ReviewSystem, type Tally, commandsFor } from '../support/review-model/commands';
import { ReviewModel } from '../support/review-model/model';
import { PureReview } from '../support/review-model/pure-review';
import { ReviewRoom } from '../support/review-model/stored-review';
import { type World, worlds } from '../support/review-model/world';
import { SEED } from '../support/seed';
import { volume } from '../support/volume';

/**
 * Compares reviews with a reference model: the answer and all visible state after each step of random
 * sequences of steps ("stories"). Most steps run only the state machine
 * (`src/approvals/reviews/machine/review-machine.ts`, `review-life.ts`). The other steps run the services
 * with their transactions, triggers and rows. `npm run test:reviews` runs many more steps.
 */
const { REVIEW_SEED, REVIEW_REPORT } = process.env;
const START = REVIEW_SEED === undefined ? SEED : Number(REVIEW_SEED);
const PURE_STEPS = Number(process.env['REVIEW_PURE_STEPS'] ?? fc.runs(volume(4_000, 25_000)));
const STORED_STEPS = Number(process.env['REVIEW_STORED_STEPS'] ?? fc.runs(volume(300, 2_000)));

/** Number of random step sequences that run in parallel on the database, each in its own organization. */
const LANES = 4;
const STEPS_OF_A_STORY = 40;
/** Number of random step sequences per call of `fc.assert`, which is repeated until enough steps were run. */
const AT_ONCE = Math.max(1, Math.round(volume(8, 20) / fc.runs(1)));

describeGateway('a review does as its reference', ({ gateway }) => {
  it('as a machine alone', async () => {
    const tally = await tell(PURE_STEPS, 0, async (world) => new PureReview(world));
    await report('machine', [tally]);
    expect(tally.steps).toBeGreaterThanOrEqual(PURE_STEPS);
  }, 3_600_000);

  it('with its services and the database', async () => {
    const each = STORED_STEPS / LANES;
    const inLane = async (steps: number, lane: number): Promise<Tally> => {
      const room = await new ReviewRoom(gateway).open();
      return tell(steps, lane, (world) => room.ask(world));
    };
    const tallies = await Promise.all(Array.from({ length: LANES }, (_, lane) => inLane(each, lane)));
    // A small number of random step sequences may miss a state by chance, so more are run if needed.
    for (let lane = LANES; missedBy(tallies).length > 0 && lane < 8 * LANES; lane += 1)
      tallies.push(await inLane(1, lane));
    await report('database', tallies);
    expect(sum(tallies, ({ steps }) => steps)).toBeGreaterThanOrEqual(STORED_STEPS);
  }, 3_600_000);
});

/** Runs random step sequences until at least `steps` steps were run. */
async function tell(
  steps: number,
  lane: number,
  begin: (world: World) => Promise<ReviewSystem>,
): Promise<Tally> {
  const tally: Tally = { steps: 0, replies: {}, ends: {}, executions: 0 };
  const words = fc.commands(commandsFor(tally), { maxCommands: STEPS_OF_A_STORY, size: 'max' });
  const story = fc.asyncProperty(worlds, words, async (drawn, told) => {
    const world = { ...drawn, people: { ...drawn.people } };
    const model = new ReviewModel(world);
    const real = await begin(world);
    await fc.asyncModelRun(() => ({ model, real }), told);
    tally.ends[model.status] = (tally.ends[model.status] ?? 0) + 1;
    tally.executions += model.executions;
  });
  for (let round = 0; tally.steps < steps; round += 1) {
    await fc.assert(story, { numRuns: AT_ONCE, seed: START + round * LANES + lane });
  }
  return tally;
}

async function report(reviews: string, tallies: readonly Tally[]): Promise<void> {
  const ends = added(tallies, 'ends');
  expect(missedBy(tallies)).toEqual([]);
  if (REVIEW_REPORT === undefined) return;
  const [steps, executions] = [sum(tallies, (one) => one.steps), sum(tallies, (one) => one.executions)];
  const line = {
    reviews,
    steps,
    executions,
    ends,
    replies: added(tallies, 'replies'),
  };
  await appendFile(REVIEW_REPORT, `${JSON.stringify(line)}\n`);
}

/** Returns the important review states in which no random step sequence ended. */
function missedBy(tallies: readonly Tally[]): string[] {
  const ends = added(tallies, 'ends');
  return ['APPROVED', 'REJECTED', 'REVOKED', 'EXECUTED'].filter((status) => ends[status] === undefined);
}

function sum(tallies: readonly Tally[], value: (tally: Tally) => number): number {
  return tallies.reduce((total, tally) => total + value(tally), 0);
}

function added(tallies: readonly Tally[], what: 'ends' | 'replies'): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const [name, count] of tallies.flatMap((tally) => Object.entries(tally[what])))
    totals[name] = (totals[name] ?? 0) + count;
  return totals;
}
