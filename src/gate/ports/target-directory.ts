import type { Principal } from '../../kernel/principal';
import type { DatabaseOfConnection } from './qualified-database';

/** Kind of a session. `exec`: one script over REST; `connect`: a client of the target's own protocol. */
export type Verb = 'exec' | 'connect';

/** Settings for recording and retaining the sessions of a connection. */
export interface RecordingSettings {
  /** Events that are recorded. With `input-only`, output and errors of the target are not recorded. */
  readonly scope: RecordingScope;
  /** Recording mode, which sets when an event counts as durable; null: the setting of the gateway. */
  readonly mode: RecordingMode | null;
  /** Days that a recording is kept after the end of its session; null: forever. */
  readonly retentionDays: number | null;
  /**
   * Whether query results for clients of the target's own protocol are recorded row by row even when no
   * guardrail rule screens them.
   */
  readonly results: boolean;
}

export const RECORDING_SCOPES = ['on', 'input-only'] as const;
export type RecordingScope = (typeof RECORDING_SCOPES)[number];

/**
 * Recording modes. They set when an event counts as durable. `journal`: when it survives a kill of the
 * gateway. `journal+fsync`: when it also survives a power failure. `store`: when it is in PostgreSQL.
 */
export const RECORDING_MODES = ['journal', 'journal+fsync', 'store'] as const;
export type RecordingMode = (typeof RECORDING_MODES)[number];

/**
 * Wildcard patterns for names (`proxies/mcp/lists/globs.ts`). A name that matches `denied` is denied. Any
 * other name is allowed if it matches `allowed`, or if `allowed` is empty.
 */
export interface Globs {
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
}

/** Requests of a server to its client, named as in the Model Context Protocol. */
export const SERVER_REQUESTS = ['sampling', 'elicitation', 'roots'] as const;
export type ServerRequest = (typeof SERVER_REQUESTS)[number];

/** Treatment of a tool that the gateway has not seen before. */
export const NEW_TOOLS = ['allow', 'hold'] as const;

/**
 * Policy for clients that use an MCP server through the gateway. A forbidden tool, resource or prompt appears
 * to clients as if the server did not have it.
 */
export interface McpPolicy {
  /** Patterns for names of tools. Calls of tools that match `approval` need a review. */
  readonly tools: Globs & { readonly approval: readonly string[] };
  /** Patterns for URIs of resources, and for URI templates. */
  readonly resources: Globs;
  /** Patterns for names of prompts. */
  readonly prompts: Globs;
  readonly newTools: (typeof NEW_TOOLS)[number];
  /** Kinds of requests of the MCP server that are forwarded to the client; all others are refused. */
  readonly serverRequests: readonly ServerRequest[];
  /** Maximum number of calls of one tool by one principal; null: no limit. */
  readonly callsPerMinute: number | null;
  /** Maximum size of one result in bytes; null: only the gateway's own limit applies. */
  readonly resultBytes: number | null;
  /** Maximum number of open streams of one principal; null: only the gateway's own limit applies. */
  readonly streams: number | null;
}

/** One sign-in of the gateway at a target, as the log of the target names it. */
export interface TargetSignIn {
  /** E-mail address of the person, or another name of who acts. */
  readonly person: string;
  /** Id of the session; absent for a test of the connection. */
  readonly session?: string;
  /** Whether the session may have a terminal at the target. */
  readonly hasTerminal?: boolean;
}

/**
 * A connection, with the data that sessions need. Its secret stays encrypted until the gateway connects to
 * the target.
 */
export interface Target {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly type: string;
  readonly subtype: string;
  /** Name of the language of the target's inputs; see `languages.ts`. */
  readonly language: string;
  /** Protocol in which clients reach the target through this gateway; null where they cannot. */
  readonly clientProtocol: string | null;
  readonly resourceName: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly attributes: readonly string[];
  readonly accessGroups: readonly string[];
  readonly enabledVerbs: readonly Verb[];
  /** Whether people may request the list of the target's tables. */
  readonly showsSchema: boolean;
  readonly recording: RecordingSettings;
  /** Policy for an MCP server; null for all other targets. */
  readonly mcp: McpPolicy | null;
  /**
   * Role that a person's session has at the target. Undefined before `asPerson` was called, and if all people
   * have the same role.
   */
  readonly role?: string;
  /**
   * Returns a copy of the target with the person's role. Absent on targets at which all people have the same
   * role.
   * @throws AppError `forbidden` if the person has no role at the target
   */
  asPerson?(who: Pick<Principal, 'subject' | 'groups'>): Target;
  /**
   * Name of the database at the target; undefined if clients do not name a database, or if no key opens the
   * secret.
   */
  databaseName(): string | undefined;
  /** Decrypts the secret of the target: `HOST`, `PORT`, `USER`, … @throws when no key decrypts it. */
  openSecret(): Readonly<Record<string, string>>;
  /**
   * Returns the secret with a certificate for one sign-in, if the connection signs in by certificate. Absent
   * on targets that know none. @throws when no key decrypts the secret, or that of the user CA
   */
  certifiedSecret?(signIn: TargetSignIn): Promise<Readonly<Record<string, string>>>;
}

/** A connection that clients may select by the name of its database. */
export interface NamedDatabase extends DatabaseOfConnection {
  /** Whether the connection admits clients of the target's own protocol at all. */
  readonly admitsClients: boolean;
}

/** Port: finds targets. */
export abstract class TargetDirectory {
  /**
   * Returns the target with that name or id in the principal's organization. Returns undefined if there is
   * none, or if the target's access groups exclude the principal. Both cases run the same database queries,
   * so that the response time does not reveal which names exist.
   */
  abstract find(principal: Principal, nameOrId: string): Promise<Target | undefined>;

  /**
   * Returns the connections that have the database in `text` and are open to the principal. The text is
   * `database`, or `database@connection` with the name or the id of the connection.
   */
  abstract byDatabase(principal: Principal, text: string): Promise<readonly NamedDatabase[]>;

  /** Returns the target with that id. Does not check access; only for the gateway's own use. */
  abstract known(orgId: string, id: string): Promise<Target | undefined>;
}
