import type { Settings } from '../config/settings';
import type { AskCatalog } from '../gate/ports/guardrails';
import type { SecretSchema } from './secret-schema';
import type { ScriptRunner } from './script-runner';

/** The secret of a target in plain text, by name. */
export type Secret = Readonly<Record<string, string>>;

/**
 * A kind of target: all that the gateway has to know of it. A new kind is a folder beside this file and one line in `kinds.ts`.
 * Source of types and subtypes: specification, section 2.1.
 */
export interface TargetKind {
  readonly type: string;
  /** Names the kind; no two kinds have the same. */
  readonly subtype: string;
  readonly secret: SecretSchema;
  /** Name of the language of what the target is told to do: how rules read it; see `languages.ts`. */
  readonly language: string;
  /** The protocol in which clients reach the target through this gateway; null: they cannot, and no credentials are issued. */
  readonly clientProtocol: string | null;
  /** Opens the target. Returns what was wrong in plain words, or undefined if the target answered. Never rejects. */
  probe(secret: Secret, settings: Settings): Promise<string | undefined>;
  /** How scripts are run; absent: they cannot be. */
  readonly scripts?: ScriptRunner;
  /** Asks the target which tables a statement touches; absent: it cannot be asked. @param open opens the secret; it may throw. */
  readonly askCatalog?: (open: () => Secret) => AskCatalog;
}
