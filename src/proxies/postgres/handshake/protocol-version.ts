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
 * Returns the minor version to request from the target. Version 3.1 was never released, and clients treat an
 * offer of 3.1 as an error.
 */
export function askedOfTarget({ minor }: AskedProtocol): ProtocolMinor {
  return minor >= NEWEST_MINOR ? NEWEST_MINOR : 0;
}

/**
 * Returns NegotiateProtocolVersion if the client requested more than the target supports. Servers send this
 * message before they request a password. The gateway knows the target only later, so it sends the message
 * right before AuthenticationOk. Clients accept it once, anywhere before AuthenticationOk.
 */
export function versionAnswer(asked: AskedProtocol, spoken: ProtocolMinor): Buffer | undefined {
  const asksForMore = askedOfTarget(asked) > spoken || asked.minor > NEWEST_MINOR;
  if (!asksForMore && asked.options.length === 0) return undefined;
  return negotiateProtocolVersion(spoken, asked.options);
}
