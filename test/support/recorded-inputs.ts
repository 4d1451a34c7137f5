import { rowsOf } from '../../src/sessions/format/input-texts';
import type { TestDatabase } from './database';
import type { Listed } from './listed-sessions';

export interface SaidInput {
  readonly session: Pick<Listed, 'id' | 'start'>;
  readonly text: string;
}

/** Combines the inputs of each session into rows, as the recorder does: short inputs share a row. */
export function sharingRows(inputs: readonly SaidInput[]): SaidInput[] {
  const sessions = new Set(inputs.map(({ session }) => session));
  return [...sessions].flatMap((session) => {
    const own = inputs.filter((input) => input.session === session);
    return [...rowsOf(own.map(({ text }) => text))].map((text) => ({ session, text }));
  });
}

/** Stores the words of each input in a row of its own. */
export async function storeInputs(
  database: TestDatabase,
  orgId: string,
  inputs: readonly SaidInput[],
): Promise<void> {
  const rows = inputs.map(({ session: { id, start }, text }, seq) => ({ id, start, text, seq }));
  await database.query(
    `INSERT INTO session_texts (org_id, session_id, seq, part, session_start, words)
     SELECT $1, id, seq, 0, start, session_words(text)
     FROM jsonb_to_recordset($2) AS it (id uuid, start timestamptz, text text, seq integer)`,
    [orgId, JSON.stringify(rows)],
  );
}

/** Stores each input of a session `times` more times. */
export async function repeatInputs(database: TestDatabase, id: string, times: number): Promise<void> {
  await database.query(
    `INSERT INTO session_texts (org_id, session_id, seq, part, session_start, words)
     SELECT org_id, session_id, seq, part + n, session_start, words
     FROM session_texts, generate_series(1, $2::integer) AS n WHERE session_id = $1`,
    [id, times],
  );
}

/** Whether an input matches a query. Reference implementation that compares word by word. */
export function hasInput(text: string, terms: readonly { sign: '' | '-'; term: string }[]): boolean {
  const words = wordsOf(text);
  return terms.every(({ sign, term }) => {
    const phrase = wordsOf(term);
    const goesOn = !term.startsWith('"') && /[\p{L}\p{N}]\*$/u.test(term);
    const isThere = words.some((_, at) =>
      phrase.every((word, place) => {
        const found = words[at + place];
        return place === phrase.length - 1 && goesOn ? found?.startsWith(word) : found === word;
      }),
    );
    return isThere === (sign === '');
  });
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
