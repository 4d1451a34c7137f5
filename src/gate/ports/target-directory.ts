import type { Principal } from '../../kernel/principal';

/** `exec`: one script over REST; `connect`: a client of the target's own protocol. */
export type Verb = 'exec' | 'connect';

/** A connection as the data path sees it. Its secret stays sealed until somebody dials. */
export interface Target {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly type: string;
  readonly subtype: string;
  readonly resourceName: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly attributes: readonly string[];
  readonly accessGroups: readonly string[];
  readonly enabledVerbs: readonly Verb[];
  /** Opens the sealed secret: `HOST`, `PORT`, `USER`, … in plain text. @throws when no key opens it. */
  openSecret(): Readonly<Record<string, string>>;
}

/** Port: what is behind this name? */
export abstract class TargetDirectory {
  /** The target of that name or id in the principal's organization; undefined when there is none. */
  abstract find(principal: Principal, nameOrId: string): Promise<Target | undefined>;
}
