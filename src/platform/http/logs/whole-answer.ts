import type { ServerResponse } from 'node:http';

const SWITCHING_PROTOCOLS = 101;

/** Whether the request continued as a WebSocket, which ends with its connection. */
export function isWebSocket({ statusCode }: Pick<ServerResponse, 'statusCode'>): boolean {
  return statusCode === SWITCHING_PROTOCOLS;
}

/** Whether the caller got the whole answer. */
export function isWholeAnswer(response: Pick<ServerResponse, 'statusCode' | 'writableFinished'>): boolean {
  return response.writableFinished || isWebSocket(response);
}
