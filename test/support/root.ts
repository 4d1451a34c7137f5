import { join } from 'node:path';

/** The folder of the repository, wherever the test that asks stands. */
export const ROOT = join(__dirname, '..', '..');
