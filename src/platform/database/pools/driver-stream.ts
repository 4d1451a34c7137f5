import type { Readable } from 'node:stream';
import type { ClientBase } from 'pg';
import { paceReads } from '../../../kernel/async/paced-reads';

/**
 * A private part of node-postgres, used only in this file: the socket that a client reads. The driver parses
 * all that has arrived in one turn of the event loop, and has no option against it. `driver-stream.spec.ts`
 * fails when a version changes this.
 */
interface DriverParts {
  readonly connection: { readonly stream: Readable };
}

/**
 * For `onConnect` of a pool: large results are parsed piece by piece, with turns for other work in between.
 */
export function readInPieces(client: ClientBase): void {
  paceReads((client as unknown as DriverParts).connection.stream);
}
