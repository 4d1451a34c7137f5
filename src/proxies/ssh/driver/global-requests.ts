import type { Connection } from 'ssh2';

/**
 * Private parts of `ssh2`, used only in this file: they take the global requests of a client, answer them,
 * and send one. `global-requests.spec.ts` fails when a version changes them.
 */
interface RequestParts {
  readonly _protocol: {
    readonly _handlers: {
      GLOBAL_REQUEST: (from: unknown, name: string, wantsAnswer: boolean, data: unknown) => void;
    };
    requestSuccess(data?: Buffer): void;
    requestFailure(): void;
    ping(): void;
  };
}

/** Maximum number of global requests of a client whose answers wait. */
const MAX_WAITING = 1_000;

/**
 * Bounds the global requests of a client that wait for their answers. An answer does not name its request,
 * so they are answered in their order (RFC 4254, section 4): while a `-R` waits for an approval,
 * everything that the client asks afterwards waits, too, and a refusal is such an answer. Clients ask
 * regularly whether the other side still lives (`ServerAliveInterval` of OpenSSH), and give up when they
 * hear nothing. So for each request that waits behind another one, the client is sent such a question of
 * the gateway: OpenSSH counts any message as a sign of life. A client that counts answers alone gives up
 * after its own time; the listening itself waits for a limited time (`ListeningVisit`).
 * @param exceeded is called for each request above 1 000 that wait; it must disconnect the client, because
 * nothing else stops it
 */
export function boundWaitingRequests(driver: Connection, exceeded: () => void): void {
  const { _protocol: protocol } = driver as unknown as RequestParts;
  const { _handlers: handlers } = protocol;
  const take = handlers.GLOBAL_REQUEST;
  let waiting = 0;
  for (const answer of ['requestSuccess', 'requestFailure'] as const) {
    const send = protocol[answer].bind(protocol);
    protocol[answer] = (data?: Buffer) => {
      waiting -= 1;
      send(data);
    };
  }
  handlers.GLOBAL_REQUEST = (from, name, wantsAnswer, data) => {
    if (!wantsAnswer) return take(from, name, wantsAnswer, data);
    waiting += 1;
    take(from, name, wantsAnswer, data);
    if (waiting > MAX_WAITING) exceeded();
    else if (waiting > 1) protocol.ping();
  };
}
