import type { GatewayProcess } from '../gateway-process';

/** pino's number for `error`; `fatal` is above it. */
const ERROR = 50;

/** Returns the errors that the gateway logged. Bytes from clients must never cause an error. */
export function faultsLogged(gateway: GatewayProcess): Record<string, unknown>[] {
  return gateway.logLines().filter(({ level }) => Number(level) >= ERROR);
}
