import { AnswerCheck, type SeenAnswer } from './answer-check';

/**
 * Every answer that a gateway of a test gives to `fetch` is held against openapi.json. What is wrong is kept here,
 * and fails the test that runs (test/support/after-env.ts): thrown into the test, it could be caught there.
 */
const faults = new Set<string>();
const bases: string[] = [];
let check: AnswerCheck | undefined;

/** From now on, answers of the API at this address are checked. */
export function watchAnswers(api: string): void {
  if (bases.length === 0) globalThis.fetch = watched(globalThis.fetch);
  bases.push(`${api}/`);
}

/** What was found since it was last asked for. */
export function foundFaults(): string[] {
  const found = [...faults];
  faults.clear();
  return found;
}

function watched(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const url = input instanceof Request ? input.url : String(input);
    const base = bases.find((candidate) => url.startsWith(candidate));
    if (base === undefined) return response;
    const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
    const path = new URL(url).pathname.slice(new URL(base).pathname.length - 1);
    observe({ method, path, status: response.status, headers: response.headers });
    return withObservedBody(response, (body) =>
      observe({ method, path, status: response.status, headers: response.headers, body }),
    );
  };
}

function observe(answer: SeenAnswer): void {
  check ??= new AnswerCheck();
  for (const fault of check.faults(answer)) faults.add(fault);
}

/** Bodies are looked at when the test has read them: streams stay streams. */
function withObservedBody(response: Response, see: (body: unknown) => void): Response {
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) return response;
  const text = response.text.bind(response);
  const read = async () => {
    const content = await text();
    if (content !== '') see(JSON.parse(content));
    return content;
  };
  return Object.assign(response, { text: read, json: async () => JSON.parse(await read()) as unknown });
}
