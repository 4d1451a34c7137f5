import { jsonShapes } from '../../../bench/bodies/texts.mjs';
import { MappedText } from '../text/mapped-text';
import { callViews } from './call-views';

/** Length of the short tool call arguments, in UTF-16 code units. */
const SHORT = 300;

/** Counts the offset maps that `work` builds. */
function mapsMadeBy(work: () => void): number {
  const made = jest.spyOn(MappedText.prototype, 'eachPiece');
  work();
  const count = made.mock.calls.length;
  made.mockRestore();
  return count;
}

describe('the views of a call', () => {
  const call = (values: string): string => `{"arguments":{"sql":${values}},"name":"x"}`;

  it('are made one by one, and where they come from only when it is asked', () => {
    const many = call(`[${'"\\n","a",'.repeat(1_000)}0]`);
    expect(mapsMadeBy(() => void callViews(many).next())).toBe(0);
    const count = mapsMadeBy(() => {
      for (const view of callViews(many)) expect(view.text.length).toBeGreaterThan(0);
    });
    expect(count).toBeLessThan(10);
  });

  it.each([...jsonShapes()])(
    'lead to the call, whether that is asked at once or later: $name',
    ({ make }) => {
      const text = call(make(SHORT));
      const places = (view: MappedText) =>
        Array.from({ length: view.text.length + 1 }, (_, at) => view.sourceRange(0, at));
      const later = [...callViews(text)];
      let index = 0;
      for (const view of callViews(text)) {
        const same = later[index++]!;
        expect([view.text, places(view)]).toEqual([same.text, places(same)]);
        for (const { start, end } of places(view)) {
          expect(start).toBeLessThanOrEqual(end);
          expect(end).toBeLessThanOrEqual(text.length);
        }
      }
      expect(index).toBe(later.length);
    },
  );
});
