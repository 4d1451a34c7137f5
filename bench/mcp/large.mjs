// Measures how long large results block the gateway's event loop.

/** Functions that create the results of the tool `large`, by kind. */
export const LARGE = {
  words: (bytes) => text('The quick brown fox jumps over the lazy dog. '.repeat(Math.ceil(bytes / 45))),
  'wide letters': (bytes) => text('Größe, Maß und “Ziel” – 大きい. '.repeat(Math.ceil(bytes / 44))),
  'lines with escapes': (bytes) => text('a\t"quoted"\\path\n'.repeat(Math.ceil(bytes / 20))),
  'rows as text and structure': (bytes) => {
    const rows = Array.from({ length: Math.ceil(bytes / 200) }, (_, id) => ({
      id,
      name: `customer ${id}`,
      mail: `customer.${id}@example.com`,
    }));
    return { ...text(JSON.stringify({ rows })), structuredContent: { rows } };
  },
  'a picture': (bytes) => ({
    content: [
      { type: 'image', mimeType: 'image/png', data: Buffer.alloc((bytes / 4) * 3, 7).toString('base64') },
    ],
  }),
};

function text(of) {
  return { content: [{ type: 'text', text: of }] };
}

/**
 * Calls the tool for each kind of result.
 * @param request a call by a client of the measured era; see `requestOf`
 * @param longestTurn returns the gateway's longest turn since the last request, in milliseconds of processor
 * time
 * @returns for each kind, the longest turn and the duration of the call
 */
export async function largeResults(request, rounds, longestTurn) {
  const figures = {};
  for (const kind of Object.keys(LARGE)) {
    const found = [];
    for (let round = 0; round < rounds; round++) {
      await longestTurn();
      const since = performance.now();
      const answer = await fetch(request.url, callOf(request, kind));
      const body = await answer.text();
      const took = performance.now() - since;
      if (body.length < 1_000_000) throw new Error(`${kind}: ${answer.status} ${body.slice(0, 300)}`);
      found.push({ turn: await longestTurn(), took });
    }
    const sorted = found.toSorted((one, other) => one.turn - other.turn);
    figures[kind] = sorted[sorted.length >> 1];
  }
  return figures;
}

function callOf({ method, headers, body }, kind) {
  const message = JSON.parse(body.replace('[<id>]', '4711'));
  message.params.name = 'large';
  message.params.arguments = { text: kind };
  return {
    method,
    headers: 'mcp-name' in headers ? { ...headers, 'mcp-name': 'large' } : headers,
    body: JSON.stringify(message),
  };
}
