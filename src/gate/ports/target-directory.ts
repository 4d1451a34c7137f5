import type { Principal } from '../../kernel/principal';

/** `exec`: one script over REST; `connect`: a client of the target's own protocol. */
export type Verb = 'exec' | 'connect';

/** How the sessions of a connection are recorded, and for how long they are kept. */
export interface RecordingSettings {
  /** `input-only`: output and errors of the target are not recorded. */
  readonly scope: RecordingScope;
  /** When an event counts as durable; null: the setting of the gateway. */
  readonly mode: RecordingMode | null;
  /** Days after the end of a session; null: for ever. */
  readonly retentionDays: number | null;
  /** Whether results for clients of the target's own protocol are recorded row by row even if no guardrail looks at them. */
  readonly results: boolean;
}

export const RECORDING_SCOPES = ['on', 'input-only'] as const;
export type RecordingScope = (typeof RECORDING_SCOPES)[number];

/** `journal` survives a kill of the gateway, `journal+fsync` also a power failure, `store` waits for PostgreSQL. */
export const RECORDING_MODES = ['journal', 'journal+fsync', 'store'] as const;
export type RecordingMode = (typeof RECORDING_MODES)[number];

/** A connection on the data path. Its secret stays sealed until the target is dialed. */
export interface Target {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly type: string;
  readonly subtype: string;
  /** Name of the language of its inputs; see `languages.ts`. */
  readonly language: string;
  /** Protocol in which clients reach the target through this gateway; null where they cannot. */
  readonly clientProtocol: string | null;
  readonly resourceName: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly attributes: readonly string[];
  readonly accessGroups: readonly string[];
  readonly enabledVerbs: readonly Verb[];
  readonly recording: RecordingSettings;
  /** Opens the sealed secret: `HOST`, `PORT`, `USER`, … in plain text. @throws when no key opens it. */
  openSecret(): Readonly<Record<string, string>>;
}

/** Port: finds targets. */
export abstract class TargetDirectory {
  /**
   * The target of that name or id in the principal's organization; undefined when there is none. Also undefined, after the same
   * database queries, when its access groups exclude the principal: a stranger must not learn which names exist.
   */
  abstract find(principal: Principal, nameOrId: string): Promise<Target | undefined>;

  /** The target of that id, without a check of access, for decisions of the gateway itself. */
  abstract known(orgId: string, id: string): Promise<Target | undefined>;
}
