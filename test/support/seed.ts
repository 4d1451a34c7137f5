import { randomInt } from 'node:crypto';

/**
 * The number that random tests start from. A run with another `TEST_SEED` makes other values, and one with
 * the same makes the same. A test that draws by itself has it in its name, so that a failure shows it.
 */
export const SEED = Number(process.env['TEST_SEED'] ?? randomInt(1_000_000_000));
