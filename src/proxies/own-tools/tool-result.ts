import type { IncomingMessage } from 'node:http';
import { type JsonObject, writeJson, parseJson } from '../../kernel/json/json';

/**
 * Maximum length of an answer in bytes: six times the output limit of a script (1 MiB), because JSON may
 * escape a byte as six characters, plus 2 MiB for the rest of the answer.
 */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Maximum length in bytes of an answer that contains its content twice. The tool omits the second copy. */
const MAX_DOUBLED_BYTES = 2 * MAX_ANSWER_BYTES;

/** The result of a call of a tool. */
export function toolResult(structured: JsonObject): JsonObject {
  return { content: [{ type: 'text', text: writeJson(structured) }], structuredContent: structured };
}

/** Returns the result of a refused call, with a message for the model. */
export function refusedResult(message: string): JsonObject {
  return { content: [{ type: 'text', text: message }], isError: true };
}

/**
 * Converts the answer of a route to the result of a tool. The result for an error contains the API's message.
 * @param without fields of the answer that are omitted
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
  // Uses `parseJson`, because the strict parser for messages would refuse NUL. The API wrote the body, so it
  // is valid JSON.
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
