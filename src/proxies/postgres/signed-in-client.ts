import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Principal } from '../../kernel/principal';
import type { AskedProtocol } from './handshake/protocol-version';
import type { Setting } from './handshake/start-up-options';

/** A client whose credentials are good. AuthenticationOk is not sent yet: access and the target come first. */
export interface SignedInClient {
  /** Nobody listens to its data any more; paused. It has an error listener, so that a loss ends no process. */
  readonly socket: Socket | TLSSocket;
  /** Bytes that came after the last message of the handshake. */
  readonly rest: Buffer;
  /** What it sets at the start, in order; nobody has judged it yet. */
  readonly settings: readonly Setting[];
  /** Not answered yet: what is spoken depends on the target. */
  readonly protocol: AskedProtocol;
  /** Connection name or id. With an issued credential always the id of its own connection. */
  readonly database: string;
  readonly principal: Principal;
  /** null: came with its own token or API key. */
  readonly credential: {
    readonly id: string;
    readonly expiresAt: Date;
    readonly reason: string | null;
  } | null;
  readonly address: string;
}

/** Another connection's wish to stop what a session runs; answered by nothing but the end of the connection. */
export interface CancelRequest {
  readonly processId: number;
  readonly key: Buffer;
  readonly address: string;
}
