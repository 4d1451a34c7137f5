import { eventually } from '../eventually';

/**
 * A page follows the actions of people, and the gateway's answers, after a moment: looks again until the
 * value is the expected one, and fails with the last one.
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
