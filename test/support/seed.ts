import { randomInt } from 'node:crypto';

/**
 * Seed of random tests: `TEST_SEED`, or a random number. A run with the same seed draws the same values. A
 * test that draws values without fast-check has the seed in its name, so that a failure shows it.
 */
export const SEED = Number(process.env['TEST_SEED'] ?? randomInt(1_000_000_000));
