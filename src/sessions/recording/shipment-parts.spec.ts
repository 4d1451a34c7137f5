import { randomBytes } from 'node:crypto';
import { v7 as uuid7 } from 'uuid';
import { RecordingSeal } from '../format/chain';
import { letterOf } from '../format/event-codec';
import { PendingChunks } from './pending-chunks';
import { noRecording } from './recording-store';
import type { Shipment } from './shipment';
import { partsOf, statementsOf } from './shipment-parts';

const MIB = 1024 * 1024;

describe('the statements of shipments', () => {
  const seal = new RecordingSeal({ keys: [randomBytes(32)] });
  /** Returns the next shipment of a session with these inputs. */
  const shipmentOf = (...inputs: readonly string[]): Promise<Shipment> => {
    const id = uuid7();
    const pending = new PendingChunks({ orgId: 'org', id }, noRecording(id));
    for (const [index, content] of inputs.entries()) {
      const length = Buffer.byteLength(content);
      pending.add({ number: index + 1, time: 0, letter: letterOf({ type: 'i' }), content, length });
    }
    return pending.next(Infinity, seal);
  };
  const lengthOf = (shipments: readonly Shipment[]): number =>
    shipments
      .flatMap(({ chunks, texts }) => [...chunks.map(({ payload }) => payload), ...texts])
      .reduce((sum, { length }) => sum + length, 0);
  const numbered = (prefix: string, count: number): string =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}`).join(' ');

  it('have parts of limited size, also where half of an input has more rows of words', async () => {
    const shipment = await shipmentOf(
      `${numbered('word', 800_000)} ${Array.from({ length: 200 }, (_, at) => `p${at} ${'nil '.repeat(8_000)}`).join('')}`,
    );
    const parts = partsOf(shipment, seal);
    for (const part of parts) expect(lengthOf([part])).toBeLessThan(1.3 * MIB);
    expect(parts.flatMap(({ texts }) => texts)).toEqual(shipment.texts);
    expect(parts.flatMap(({ chunks }) => chunks)).toEqual(shipment.chunks);
  });

  it('have a limited size, also where inputs have more rows of words', async () => {
    const bulk = (at: number): string => `bulk${at} ${'nil '.repeat(8_000)}`;
    const inputs = Array.from({ length: 16 }, (_, at) => bulk(at));
    const shipments = await Promise.all(Array.from({ length: 16 }, () => shipmentOf(...inputs)));
    expect(lengthOf(shipments)).toBeGreaterThan(16 * MIB);
    const statements = statementsOf(shipments);
    expect(statements.flat()).toEqual(shipments);
    for (const statement of statements) expect(lengthOf(statement)).toBeLessThanOrEqual(16 * MIB);
    expect(statements).toHaveLength(2);
  });
});
