import { eventually } from '../eventually';

/**
 * What a page shows follows what people do, and what the gateway answers, by a moment: looks again until it
 * is what is expected, and fails with what it saw last.
 */
export async function expectSoon(look: () => Promise<unknown>, expected: unknown): Promise<void> {
  const isExpected = async (): Promise<boolean> => {
    const seen = await look();
    try {
      expect(seen).toEqual(expected);
      return true;
    } catch {
      return false;
    }
  };
  await eventually('what is expected', isExpected).catch(async () => expect(await look()).toEqual(expected));
}
