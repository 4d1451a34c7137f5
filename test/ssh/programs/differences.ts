import type { ProgramTarget } from './ways';

/** A program sees something else through the gateway than directly. */
export interface Difference {
  readonly program: string;
  readonly check: string;
  readonly servers: readonly ProgramTarget['name'][];
  readonly reason: string;
}

/**
 * All differences. The table of README.md has the same. A difference that is not here fails the test, and so
 * does one that is no more.
 */
export const DIFFERENCES: readonly Difference[] = [
  {
    program: 'OpenSSH',
    check: 'scp -s',
    servers: ['AsyncSSH'],
    reason:
      'AsyncSSH ends its SFTP without an exit status, and scp then ends with 1; the gateway sends 0 for a subsystem that has ended by itself',
  },
  {
    program: 'Go',
    check: 'cancel',
    servers: ['Dropbear'],
    reason:
      'Dropbear refuses to end the listening at a port that it chose itself; the gateway answers before the server does, and lets no stream through afterwards',
  },
];
