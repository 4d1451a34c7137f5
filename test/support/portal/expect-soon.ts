import { eventually } from '../eventually';

/**
 * Repeats `look` until it returns the expected value, because pages show actions and answers with a delay.
 * Fails with the last value.
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
