import type { Settings } from '../../platform/config/settings';
import type { AskCatalog } from '../../gate/ports/guardrails';
import type { Principal } from '../../kernel/principal';
import type { ClientEndpoint } from './client-endpoint';
import type { SecretSchema } from './secret-schema';
import type { ScriptRunner } from './script-runner';
import type { TableLister } from './table-lister';

/** The secret of a target in plain text, by name. */
export type Secret = Readonly<Record<string, string>>;

/** One sign-in at a target by a certificate of the gateway. */
export interface CertificateUse {
  /** Text in the certificate by which the log of the target names the person and the session. */
  readonly keyId: string;
  /** Whether the certificate allows terminals. */
  readonly hasTerminal: boolean;
}

/**
 * A kind of target, with all facts that the gateway and its clients need. Clients read them with
 * `GET /connection-kinds`. To add a kind, add a folder to `targets`, and a line to `targets/kinds.ts`. Source
 * of types and subtypes: specification, section 2.1.
 */
export interface TargetKind {
  readonly type: string;
  /** Identifies the kind; unique. */
  readonly subtype: string;
  /** Name of the kind for people: `PostgreSQL`. */
  readonly title: string;
  readonly secret: SecretSchema;
  /** Name of the language in which rules read the target's inputs; see `languages.ts`. */
  readonly language: string;
  /** Endpoint through which clients reach the target; null if clients cannot connect. */
  readonly client: ClientEndpoint | null;
  /** Returns the name of the target's database; absent if clients of its protocol name no database. */
  readonly databaseName?: (secret: Secret) => string | undefined;
  /**
   * Returns the secret for the sessions of one person, and the role with which the person acts at the target;
   * undefined if all people act with the same rights.
   * @throws AppError `forbidden` if the person has no role
   */
  readonly asPerson?: (
    secret: Secret,
    who: Pick<Principal, 'subject' | 'groups'>,
  ) => { readonly role: string; readonly secret: Secret } | undefined;
  /**
   * Returns the secret for one sign-in at the target, with a certificate that the gateway's user CA signed if
   * the connection signs in by certificate. Absent if targets of the kind know no certificates, and if they
   * have `asPerson`.
   * @param caKey returns the private key of the user CA in OpenSSH's format
   */
  readonly withCertificate?: (
    secret: Secret,
    use: CertificateUse,
    caKey: () => Promise<string>,
  ) => Promise<Secret>;
  /** Whether `event_stream=raw-queries` is available for sessions on such targets. Default: no. */
  readonly hasQueries?: true;
  /** Whether connections to such targets have an `mcp_policy`. Default: no. */
  readonly hasMcpPolicy?: true;
  /**
   * Tests whether the target can be reached. Returns the fault in plain words, or
   * undefined if the target answered. Never rejects.
   */
  probe(secret: Secret, settings: Settings): Promise<string | undefined>;
  /** Runs scripts on the target; absent where it cannot run any. */
  readonly scripts?: ScriptRunner;
  /** Lists the tables of the target with a script; absent if the target has no tables. */
  readonly tables?: TableLister;
  /**
   * Queries the target's catalog for the tables that a statement touches; absent if there is no catalog.
   * @param open decrypts the secret; it may throw.
   */
  readonly askCatalog?: (open: () => Secret) => AskCatalog;
}
