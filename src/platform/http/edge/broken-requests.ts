import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { writeEndLine } from '../logs/end-line';

interface Refusal {
  readonly status: number;
  readonly message: string;
}

const MALFORMED: Refusal = { status: 400, message: 'the request is not valid HTTP' };
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'the headers of the request are larger than 80 KiB' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    message: 'the chunk extensions of the request are too large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request took too long to arrive' },
};

/** Time after which the connection is closed if the client does not read the answer but still sends. */
const READ_ANSWER_WITHIN_MS = 500;

/**
 * Answers requests that Node.js refuses before they reach a route. Like other errors, the answer has a
 * message, a request id and a log line.
 *
 * @param refused called with the status of each request that no middleware sees
 */
export function answerBrokenRequests(server: Server, refused: (status: number) => void): void {
  const openAnswers = trackOpenAnswers(server);
  answerMalformed(server, openAnswers, refused);
  refuseUnsupported(server, openAnswers, refused);
}

/** Returns the answers of a connection that are not completely sent, in the order of the requests. */
type OpenAnswers = (socket: Socket) => ServerResponse[];

/** Tracks all unsent answers, because a client may send further requests before it has the first answer. */
function trackOpenAnswers(server: Server): OpenAnswers {
  const answering = new WeakMap<Socket, Set<ServerResponse>>();
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const open = answering.get(socket) ?? new Set();
    answering.set(socket, open.add(response));
    response.once('close', () => open.delete(response));
  });
  return (socket) => [...(answering.get(socket) ?? [])];
}

function answerMalformed(server: Server, openAnswers: OpenAnswers, refused: (status: number) => void): void {
  const answered = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    const open = openAnswers(socket);
    const [response] = open;
    if (answered.has(socket)) return;
    answered.add(socket);
    // Sends no refusal if the client is gone, or if the client could take it for another request's answer.
    if (!socket.writable || error.code === 'ECONNRESET' || !open.every(isStillArriving))
      return breakOff(socket, open);
    const refusal = refusals[error.code ?? ''] ?? MALFORMED;
    // Counts only a request that has not reached the middleware, because the middleware counts all others.
    if (response === undefined) refused(refusal.status);
    refuse(socket, refusal, response);
  });
}

/** Refuses CONNECT, and expectations other than `100-continue`. */
function refuseUnsupported(
  server: Server,
  openAnswers: OpenAnswers,
  refused: (status: number) => void,
): void {
  const refuseUnseen = (socket: Socket, refusal: Refusal): void => {
    const open = openAnswers(socket);
    if (open.length > 0) return breakOff(socket, open);
    refused(refusal.status);
    refuse(socket, refusal);
  };
  // The client waits before it sends its body. `readBody` sends 100 Continue once the caller is authorized.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.on('checkExpectation', (request: IncomingMessage) =>
    refuseUnseen(request.socket, {
      status: 417,
      message: 'the gateway supports no expectation except 100-continue',
    }),
  );
  server.on('connect', (_request, socket) =>
    refuseUnseen(socket as Socket, { status: 405, message: 'the gateway is not an HTTP proxy' }),
  );
}

/** Whether the rest of this request is still arriving, and nothing of its answer was sent. */
function isStillArriving({ req, headersSent }: ServerResponse): boolean {
  return !req.complete && !headersSent;
}

/** Destroys each answer before the socket, so that the client can see that the answer is incomplete. */
function breakOff(socket: Socket, open: readonly ServerResponse[]): void {
  for (const response of open) response.destroy();
  socket.destroy();
}

function refuse(socket: Socket, { status, message }: Refusal, response?: ServerResponse): void {
  const id = String(response?.getHeader('x-request-id') ?? randomUUID());
  const body = JSON.stringify({ message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    `x-request-id: ${id}`,
    ...(status === 405 ? ['Allow: GET, HEAD, POST, PUT, PATCH, DELETE'] : []),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const late = setTimeout(() => socket.destroy(), READ_ANSWER_WITHIN_MS).unref();
  socket.once('close', () => clearTimeout(late));
  const req = { id, remoteAddress: socket.remoteAddress };
  writeEndLine({ req, res: { statusCode: status } });
}
