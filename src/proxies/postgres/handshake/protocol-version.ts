import type { ProtocolMinor } from '../../../targets/postgres/start-up-packet';
import { negotiateProtocolVersion } from '../wire/start-up-answers';

const NEWEST_MINOR = 2;

/** The protocol version and options that a StartupMessage requests, supported or not. */
export interface AskedProtocol {
  /** Minor version of protocol 3. */
  readonly minor: number;
  /** Option names, which begin with `_pq_.`; none is supported. */
  readonly options: readonly string[];
}

/**
 * The version to request from the target. 3.1 was never released, and clients
 * treat an offer of it as an error.
 */
export function askedOfTarget({ minor }: AskedProtocol): ProtocolMinor {
  return minor >= NEWEST_MINOR ? NEWEST_MINOR : 0;
}

/**
 * NegotiateProtocolVersion, if the client requested more than the target supports. Servers send it before
 * they request a password. Here the target is known only later, so it is sent right before AuthenticationOk:
 * clients accept it anywhere before that message, at most once.
 */
export function versionAnswer(asked: AskedProtocol, spoken: ProtocolMinor): Buffer | undefined {
  const asksForMore = askedOfTarget(asked) > spoken || asked.minor > NEWEST_MINOR;
  if (!asksForMore && asked.options.length === 0) return undefined;
  return negotiateProtocolVersion(spoken, asked.options);
}
