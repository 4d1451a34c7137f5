import { FirstTurn1763700000000 } from './1763700000000-first-turn';

/** In the order in which they run. A migration that has been released is never edited. */
export const migrations = [FirstTurn1763700000000] as const;
