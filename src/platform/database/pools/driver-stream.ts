import type { Readable } from 'node:stream';
import type { ClientBase } from 'pg';
import { paceReads } from '../../../kernel/async/paced-reads';

/**
 * A private part of node-postgres, used only in this file: the socket that a client reads. The driver parses
 * all received bytes in one turn of the event loop, and no option changes that. `driver-stream.spec.ts`
 * fails when a version changes this part.
 */
interface DriverParts {
  readonly connection: { readonly stream: Readable };
}

/**
 * Makes a client parse large results in pieces, so that other work gets turns of the event loop in between.
 * Used as `onConnect` of a pool.
 */
export function readInPieces(client: ClientBase): void {
  paceReads((client as unknown as DriverParts).connection.stream);
}
