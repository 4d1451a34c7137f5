import { join } from 'node:path';

/** The folder of the repository, wherever the test file is. */
export const ROOT = join(__dirname, '..', '..');
