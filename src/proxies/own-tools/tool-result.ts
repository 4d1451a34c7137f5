import type { IncomingMessage } from 'node:http';
import { type JsonObject, writeJson, parseJson } from '../../kernel/json/json';

/** Six times what a script may output (each character escaped), and the rest of the answer. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** The same where the answer has a second copy of its content, which is left out. */
const MAX_DOUBLED_BYTES = 2 * MAX_ANSWER_BYTES;

/** The result of a call of a tool. */
export function toolResult(structured: JsonObject): JsonObject {
  return { content: [{ type: 'text', text: writeJson(structured) }], structuredContent: structured };
}

/** The result of a refused call, in words for the model. */
export function refusedResult(message: string): JsonObject {
  return { content: [{ type: 'text', text: message }], isError: true };
}

/**
 * The answer of a route as the result of a tool. Errors have the message of the API.
 * @param without members of the answer that are left out
 */
export async function resultOf(
  answer: IncomingMessage,
  without: readonly string[] = [],
): Promise<JsonObject> {
  const most = without.length === 0 ? MAX_ANSWER_BYTES : MAX_DOUBLED_BYTES;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > most)
      return refusedResult(`The answer is larger than ${most / 1024 / 1024} MiB. Ask for less at a time.`);
  }
  // The API wrote it; the strict reader of messages would refuse NUL.
  const body = parseJson(Buffer.concat(chunks).toString()) as JsonObject & { message?: string };
  const { statusCode = 0, headers } = answer;
  if (statusCode < 400) {
    for (const name of without) delete body[name];
    return toolResult(body);
  }
  const again = headers['retry-after'];
  return refusedResult(
    `${body.message ?? 'The API refused.'}${again === undefined ? '' : ` (try again in ${again} seconds)`}`,
  );
}
