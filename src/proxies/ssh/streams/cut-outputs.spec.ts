import { engineOf } from '../../../../test/support/screening';
import { sessionUnder } from '../../../../test/support/gated-session';
import {
  MASKED_OUTPUTS,
  MASKS,
  type MaskedOutput,
  showsSecret,
} from '../../../../test/support/ssh/cut-outputs';
import { sshFigure } from '../../../../test/support/ssh/figures';
import { someOf } from '../../../../test/support/volume';
import { ProgramOutputReader } from './result-reader';

const engine = engineOf(...MASKS);

/** Returns the bytes that a client gets of an output in these pieces, and those that are recorded. */
async function delivered(
  pieces: readonly Buffer[],
  { isTerminal }: MaskedOutput,
): Promise<{ bytes: Buffer; recorded: string }> {
  const { session, trail } = sessionUnder(() => engine);
  await session.admit({ kind: 'statement', text: 'a program' });
  const failed = (error: unknown): never => {
    throw error;
  };
  const reader = new ProgramOutputReader(session, {
    type: 'o',
    isTerminal,
    mark: (piece) => piece,
    mayWait: () => isTerminal,
    isCaughtUp: () => true,
    flushed: () => undefined,
    failed,
  });
  const got: Buffer[] = [];
  for (const piece of pieces) {
    reader.push(piece);
    while (await reader.next()) got.push(...reader.takePieces());
  }
  await reader.finish();
  got.push(...reader.takePieces());
  const recorded = trail.events.filter(([type]) => type === 'o').map(([, text]) => text);
  return { bytes: Buffer.concat(got), recorded: recorded.join('') };
}

// promises: SSHCLIENT-6
describe('outputs with masked texts, in pieces', () => {
  it('show nothing of them, wherever they are cut, and are otherwise as in one piece', async () => {
    const counts = { outputs: MASKED_OUTPUTS.length, cuts: 0, missed: 0, differing: 0 };
    const wrong: string[] = [];
    for (const output of MASKED_OUTPUTS) {
      const { bytes } = output;
      const whole = await delivered([bytes], output);
      expect([output.name, showsSecret(output, bytes), whole.bytes.includes('****')]).toEqual([
        output.name,
        true,
        true,
      ]);
      const cuts = Array.from({ length: bytes.length + 1 }, (_, at) => [
        bytes.subarray(0, at),
        bytes.subarray(at),
      ]);
      // All cuts at once come last.
      const ways = [...someOf(cuts, 3), Array.from(bytes, (byte) => Buffer.from([byte]))];
      for (const pieces of ways) {
        counts.cuts += 1;
        const got = await delivered(pieces, output);
        const shows = showsSecret(output, got.bytes) || showsSecret(output, Buffer.from(got.recorded));
        const isSame = got.bytes.equals(whole.bytes) && got.recorded === whole.recorded;
        if (shows) counts.missed += 1;
        else if (!isSame) counts.differing += 1;
        if (shows || !isSame) wrong.push(`${output.name}, cut at ${pieces[0]?.length}`);
      }
    }
    sshFigure('cuts', counts);
    expect(wrong).toEqual([]);
    expect(counts.outputs).toBeGreaterThanOrEqual(50);
  }, 600_000);
});
