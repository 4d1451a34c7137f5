import type { GatewayProcess } from '../gateway-process';

/** pino's number for `error`; `fatal` is above it. */
const ERROR = 50;

/** Errors that the gateway logged: bytes of clients must never cause one. */
export function faultsLogged(gateway: GatewayProcess): Record<string, unknown>[] {
  return gateway.logLines().filter(({ level }) => Number(level) >= ERROR);
}
