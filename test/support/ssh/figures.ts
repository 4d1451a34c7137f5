import { reportLine } from '../report';

/** Figures that `npm run test:ssh` prints; scripts/test-ssh.mjs has the limit of each. */
export type SshFigure = 'evasions' | 'paths' | 'cuts' | 'cuts on the way' | 'kills';

/** Adds figures to the report of `npm run test:ssh`, as `reportLine` does. */
export function sshFigure(name: SshFigure, counts: Readonly<Record<string, number>>): void {
  reportLine('SSH_REPORT', { figure: name, ...counts });
}
