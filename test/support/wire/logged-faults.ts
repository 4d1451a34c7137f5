import type { GatewayProcess } from '../gateway-process';

/** pino's number for `error`; `fatal` is above it. */
const ERROR = 50;

/** What the gateway logged as its own fault: whatever clients send, it is none. */
export function faultsLogged(gateway: GatewayProcess): Record<string, unknown>[] {
  return gateway.logLines().filter(({ level }) => Number(level) >= ERROR);
}
