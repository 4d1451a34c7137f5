import type { Settings } from '../../platform/config/settings';
import type { AskCatalog } from '../../gate/ports/guardrails';
import type { Principal } from '../../kernel/principal';
import type { ClientEndpoint } from './client-endpoint';
import type { SecretSchema } from './secret-schema';
import type { ScriptRunner } from './script-runner';
import type { TableLister } from './table-lister';

/** The secret of a target in plain text, by name. */
export type Secret = Readonly<Record<string, string>>;

/**
 * A kind of target, with everything that the gateway and its clients must know about it; clients read it in
 * `GET /connection-kinds`. A new kind is a folder of `targets`, and one line in `targets/kinds.ts`. Source of
 * types and subtypes: specification, section 2.1.
 */
export interface TargetKind {
  readonly type: string;
  /** Identifies the kind; unique. */
  readonly subtype: string;
  /** Name of the kind for people: `PostgreSQL`. */
  readonly title: string;
  readonly secret: SecretSchema;
  /** Name of the language of its inputs, by which rules read them; see `languages.ts`. */
  readonly language: string;
  /** The way of clients to the target through this gateway; null where there is none. */
  readonly client: ClientEndpoint | null;
  /** The name of the database as the target calls it; absent where clients of its protocol name none. */
  readonly databaseName?: (secret: Secret) => string | undefined;
  /**
   * The secret for the sessions of one person, and the role as which they act at the target; undefined where
   * all people act alike there.
   * @throws AppError `forbidden` where the person has no such role
   */
  readonly asPerson?: (
    secret: Secret,
    who: Pick<Principal, 'subject' | 'groups'>,
  ) => { readonly role: string; readonly secret: Secret } | undefined;
  /** Whether `event_stream=raw-queries` reads its recorded inputs as queries. Default: no. */
  readonly hasQueries?: true;
  /** Whether its connections have an `mcp_policy`. Default: no. */
  readonly hasMcpPolicy?: true;
  /**
   * Tests whether the target can be reached. Returns the fault in plain words, or
   * undefined if the target answered. Never rejects.
   */
  probe(secret: Secret, settings: Settings): Promise<string | undefined>;
  /** Runs scripts on the target; absent where it cannot run any. */
  readonly scripts?: ScriptRunner;
  /** Lists the tables of the target, as a script of its own; absent where there are none. */
  readonly tables?: TableLister;
  /**
   * Asks the target's catalog which tables a statement touches; absent where there is no catalog. @param open
   * opens the secret; it may throw.
   */
  readonly askCatalog?: (open: () => Secret) => AskCatalog;
}
