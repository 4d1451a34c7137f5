/** Maximum size of an answer: larger than any real metadata document, key set or userinfo answer. */
const MAX_BYTES = 1024 * 1024;

/** Works like `fetch`, but aborts an endless or huge answer. For requests to the identity provider. */
export async function boundedFetch(url: string, init: object): Promise<Response> {
  const { body, status, headers } = await fetch(url, init);
  let size = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > MAX_BYTES) controller.error(new Error(`the answer is larger than ${MAX_BYTES} bytes`));
      else controller.enqueue(chunk);
    },
  });
  return new Response(body?.pipeThrough(limit) ?? null, { status, headers });
}
