import type { Principal } from '../../kernel/principal';
import type { DatabaseOfConnection } from './qualified-database';

/** `exec`: one script over REST; `connect`: a client of the target's own protocol. */
export type Verb = 'exec' | 'connect';

/** Settings for recording the sessions of a connection, and for keeping them. */
export interface RecordingSettings {
  /** `input-only`: output and errors of the target are not recorded. */
  readonly scope: RecordingScope;
  /** When an event counts as durable; null: the setting of the gateway. */
  readonly mode: RecordingMode | null;
  /** Days after the end of a session; null: forever. */
  readonly retentionDays: number | null;
  /**
   * Whether results for clients of the target's own protocol are recorded row
   * by row even if no guardrail looks at them.
   */
  readonly results: boolean;
}

export const RECORDING_SCOPES = ['on', 'input-only'] as const;
export type RecordingScope = (typeof RECORDING_SCOPES)[number];

/**
 * `journal` survives a kill of the gateway, `journal+fsync` also a power
 * failure, `store` waits for PostgreSQL.
 */
export const RECORDING_MODES = ['journal', 'journal+fsync', 'store'] as const;
export type RecordingMode = (typeof RECORDING_MODES)[number];

/**
 * Patterns for names (`proxies/mcp/lists/globs.ts`). A name that a pattern denies is denied; without patterns
 * that allow, all others are allowed.
 */
export interface Globs {
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
}

/** Requests of a server to its client, in the words of the Model Context Protocol. */
export const SERVER_REQUESTS = ['sampling', 'elicitation', 'roots'] as const;
export type ServerRequest = (typeof SERVER_REQUESTS)[number];

/** Treatment of a tool that the gateway has not seen before. */
export const NEW_TOOLS = ['allow', 'hold'] as const;

/**
 * Rights of clients of an MCP server through the gateway. A forbidden part appears as if the server did not
 * have it.
 */
export interface McpPolicy {
  /** By name. `approval`: calls of these need a review. */
  readonly tools: Globs & { readonly approval: readonly string[] };
  /** By URI, also the templates of URIs. */
  readonly resources: Globs;
  /** By name. */
  readonly prompts: Globs;
  readonly newTools: (typeof NEW_TOOLS)[number];
  /** The requests of the server that reach its client; all others are refused. */
  readonly serverRequests: readonly ServerRequest[];
  /** Calls of one tool by one principal; null: no limit. */
  readonly callsPerMinute: number | null;
  /** Bytes of one result; null: the limit of the gateway alone. */
  readonly resultBytes: number | null;
  /** Streams that one principal has open at a time; null: the limit of the gateway alone. */
  readonly streams: number | null;
}

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
  /** Whether people may ask for its tables. */
  readonly showsSchema: boolean;
  readonly recording: RecordingSettings;
  /** null: the target is no MCP server. */
  readonly mcp: McpPolicy | null;
  /**
   * The role as which the session of one person acts at the target; undefined
   * where all act alike, and before `asPerson`.
   */
  readonly role?: string;
  /**
   * The target as a person's sessions have it; absent where all people act alike there.
   * @throws AppError `forbidden` where the person has no role there
   */
  asPerson?(who: Pick<Principal, 'subject' | 'groups'>): Target;
  /** The database as the target calls it; undefined where clients name none, or no key opens the secret. */
  databaseName(): string | undefined;
  /** Opens the sealed secret: `HOST`, `PORT`, `USER`, … in plain text. @throws when no key opens it. */
  openSecret(): Readonly<Record<string, string>>;
}

/** A connection that clients may name by its database. */
export interface NamedDatabase extends DatabaseOfConnection {
  /** Whether the connection admits clients of the target's own protocol at all. */
  readonly admitsClients: boolean;
}

/** Port: finds targets. */
export abstract class TargetDirectory {
  /**
   * The target of that name or id in the principal's organization; undefined when there is none. Also
   * undefined, after the same database queries, when its access groups exclude the principal: a stranger must
   * not learn which names exist.
   */
  abstract find(principal: Principal, nameOrId: string): Promise<Target | undefined>;

  /**
   * The connections open to the principal that the text names by their database: `database`, or
   * `database@connection` with the name or the id of the connection. All others are as if they did not exist.
   */
  abstract byDatabase(principal: Principal, text: string): Promise<readonly NamedDatabase[]>;

  /** The target of that id, without a check of access, for decisions of the gateway itself. */
  abstract known(orgId: string, id: string): Promise<Target | undefined>;
}
