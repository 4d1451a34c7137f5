import type { ProtocolMinor } from '../../../targets/postgres/start-up-packet';
import { negotiateProtocolVersion } from '../wire/start-up-answers';

const NEWEST_MINOR = 2;

/** What a StartupMessage asks of the protocol, whether it is spoken or not. */
export interface AskedProtocol {
  /** Minor version of protocol 3. */
  readonly minor: number;
  /** Names that begin with `_pq_.`; none is known. */
  readonly options: readonly string[];
}

/** The version to ask the target for. 3.1 was never released, and clients take an offer of it for a fault. */
export function askedOfTarget({ minor }: AskedProtocol): ProtocolMinor {
  return minor >= NEWEST_MINOR ? NEWEST_MINOR : 0;
}

/**
 * NegotiateProtocolVersion, where the client asked for more than is spoken with the target. Servers send it before they
 * ask for a password. Here the target is known only after that, so it comes right before AuthenticationOk: clients
 * take it anywhere before that message, and at most once.
 */
export function versionAnswer(asked: AskedProtocol, spoken: ProtocolMinor): Buffer | undefined {
  const asksForMore = askedOfTarget(asked) > spoken || asked.minor > NEWEST_MINOR;
  if (!asksForMore && asked.options.length === 0) return undefined;
  return negotiateProtocolVersion(spoken, asked.options);
}
