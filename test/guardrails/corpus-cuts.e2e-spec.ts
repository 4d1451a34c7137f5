import { allCuts, someCuts, streamInPieces } from './corpus/cuts';
import { INTENTS } from './corpus/intents';
import { engineFor } from './corpus/judging';
import { SeededRandom } from './corpus/random';
import { allVariants } from './corpus/variants';
import { loadSqlParser } from '../../src/languages/postgresql/parser';
import { someOf, volume } from '../support/volume';

/** Texts up to this length in bytes are cut in every possible way, longer texts in some random ways. */
const SHORT = 16;
const DRAWN = 20;
const LONGEST = 400;
/**
 * Number of characters that a screen holds back at least. Once it holds twice as many, it releases the rest.
 */
const LOOK_BACK = 4_096;
const PADDED_TEXTS_OF_AN_INTENT = volume(1, 2);

/**
 * Returns the forbidden texts in which the text rules of their intent have a hit when the texts are output.
 * In output, SQL comments and quotes are plain text. The short form uses every fourth variant.
 */
async function forbiddenTexts() {
  const texts = [];
  const variants = someOf(
    allVariants().filter(({ transforms }) => transforms.length < 2),
    4,
  );
  for (const intent of INTENTS) {
    const engine = engineFor('output', intent.textRules);
    for (const { text } of variants.filter((variant) => variant.intent === intent)) {
      const bytes = Buffer.from(text);
      if (bytes.length > LONGEST || text.includes('\ud800')) continue;
      const [first] = await engine.inspectOutput(text);
      if (first !== undefined) texts.push({ intent, engine, text, bytes });
    }
  }
  return texts;
}

type Forbidden = Awaited<ReturnType<typeof forbiddenTexts>>[number];

describe('forbidden texts in a stream that is cut', () => {
  let texts: Forbidden[];
  let streams = 0;
  const wrong: string[] = [];

  beforeAll(async () => {
    await loadSqlParser();
    texts = await forbiddenTexts();
  });

  beforeEach(() => {
    streams = 0;
    wrong.length = 0;
  });

  afterEach(() => {
    if (process.env['CORPUS_FIGURES'] !== undefined)
      process.stdout.write(
        `${JSON.stringify({ test: expect.getState().currentTestName, texts: texts.length, streams })}\n`,
      );
  });

  /** Streams the bytes. Reports a fault if the text is not found, or a part of it was released before. */
  const cut = async ({ engine, text }: Forbidden, bytes: Buffer, cuts: readonly number[]): Promise<void> => {
    streams += 1;
    const streamed = await streamInPieces(engine.openScreen(), bytes, cuts);
    if (streamed.kind === 'pass') wrong.push(`missed at ${cuts.join()}: ${text}`);
    else if (streamed.released > streamed.start) wrong.push(`let go at ${cuts.join()}: ${text}`);
  };

  // promises: GUARDRAIL-12
  it('are found at every single cut', async () => {
    const tried = someOf(texts, 3);
    for (const one of tried) {
      for (const cuts of allCuts(one.bytes.length, 1)) await cut(one, one.bytes, cuts);
    }
    expect(wrong).toEqual([]);
    expect(tried.length).toBeGreaterThan(volume(300, 500));
    expect(streams).toBeGreaterThan(volume(25_000, 30_000));
  });

  it('are found at two to four cuts: all in short texts, random ones in others', async () => {
    const random = new SeededRandom(44);
    for (const one of someOf(texts, 3)) {
      const { length } = one.bytes;
      for (const count of [2, 3, 4]) {
        const ways =
          length <= SHORT
            ? allCuts(length, count)
            : Array.from({ length: DRAWN / count }, () => someCuts(random, 1, length, count));
        for (const cuts of ways) await cut(one, one.bytes, cuts);
      }
    }
    expect(wrong).toEqual([]);
    expect(texts.some(({ bytes }) => bytes.length <= SHORT)).toBe(true);
    expect(streams).toBeGreaterThan(volume(5_000, 30_000));
  });

  describe('are found with so much text around them that the screen releases it', () => {
    /**
     * Returns harmless text of this length. It ends with a line break, because some patterns start after one.
     */
    const filler = (length: number): string =>
      'nothing here.\n'.repeat(Math.ceil(length / 14)).slice(-length);

    const padded = (): Forbidden[] =>
      INTENTS.flatMap((intent) =>
        texts
          .filter((one) => one.intent === intent && one.bytes.length <= 80)
          .slice(0, PADDED_TEXTS_OF_AN_INTENT),
      );

    const around = async (one: Forbidden, before: number, after: number) => {
      const text = `${filler(before)}${one.text}\n${filler(after)}`;
      return { bytes: Buffer.from(text), isFound: (await one.engine.inspectOutput(text)).length > 0 };
    };

    it('are found wherever the piece ends that causes a release', async () => {
      for (const one of padded()) {
        const { bytes, isFound } = await around(one, 2 * LOOK_BACK, 3 * LOOK_BACK);
        if (!isFound) continue;
        for (let at = 0; at <= one.bytes.length; at++) await cut(one, bytes, [2 * LOOK_BACK + at]);
      }
      expect(wrong).toEqual([]);
      expect(streams).toBeGreaterThan(500);
    });

    it('are found at every offset of a release', async () => {
      for (const one of padded()) {
        const { bytes, isFound } = await around(one, 2 * LOOK_BACK, 3 * LOOK_BACK);
        if (!isFound) continue;
        for (let at = 0; at <= one.bytes.length; at++) await cut(one, bytes, [3 * LOOK_BACK + at]);
      }
      expect(wrong).toEqual([]);
      expect(streams).toBeGreaterThan(500);
    });

    it('are found at two to four cuts drawn all over the stream', async () => {
      const random = new SeededRandom(45);
      for (const one of padded()) {
        const { bytes, isFound } = await around(one, 2 * LOOK_BACK, 3 * LOOK_BACK);
        if (!isFound) continue;
        for (const count of [2, 3, 4]) {
          for (let i = 0; i < 8; i++) await cut(one, bytes, someCuts(random, 1, bytes.length, count));
        }
      }
      expect(wrong).toEqual([]);
      expect(streams).toBeGreaterThan(500);
    });
  });
});
