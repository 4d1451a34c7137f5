import { sessionUnder } from '../../../test/support/gated-session';
import { words } from '../../../test/support/rule-entries';
import { engineOf } from '../../../test/support/screening';
import type { MessageHandler } from '../kit/inbound';
import { FileAnswerReader } from './files/file-answer-reader';
import { FileRequestReader } from './files/file-request-reader';
import { OpenFiles, START_ID } from './files/open-files';
import { PACKET, packetOf, textField, uint32 } from './files/packets';
import { ProgramOutputReader } from './streams/result-reader';

const engine = engineOf(words(['canary'], { action: 'mask' }));
const PIECES = 500;

/** A session whose rules are read from the database each time, because they cannot be cached. */
function uncached() {
  let fetches = 0;
  const fetch = () => {
    fetches += 1;
    return Promise.resolve(engine);
  };
  const { session } = sessionUnder(fetch, undefined, false);
  return { session, fetches: () => fetches };
}

async function handleAll(reader: MessageHandler, ...chunks: readonly Buffer[]): Promise<void> {
  for (const chunk of chunks) reader.push(chunk);
  while (await reader.next());
}

// promises: GUARDRAIL-10
describe('rules that cannot be cached', () => {
  beforeEach(() => {
    const now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  it('are not read for each piece of output of a program', async () => {
    const { session, fetches } = uncached();
    const reader = new ProgramOutputReader(session, {
      type: 'o',
      isTerminal: false,
      mark: (piece) => piece,
      mayWait: () => true,
      isCaughtUp: () => true,
      flushed: () => undefined,
      failed: () => undefined,
    });
    for (let piece = 0; piece < PIECES; piece += 1) await handleAll(reader, Buffer.from('a canary\n'));
    reader.abandon();
    expect(Buffer.concat(reader.takePieces()).includes('canary')).toBe(false);
    expect(fetches()).toBeLessThan(5);
  });

  it('are not read for each piece of a file', async () => {
    const { session, fetches } = uncached();
    const files = new OpenFiles();
    const requests = new FileRequestReader(session, files, { mayWrite: false, answered: () => undefined });
    const answers = new FileAnswerReader(session, files);
    const begun = handleAll(requests, packetOf(PACKET.INIT, uint32(3)));
    const folder = packetOf(PACKET.NAME, uint32(START_ID), uint32(1), textField('/home'));
    await handleAll(answers, packetOf(PACKET.VERSION, uint32(3)), folder);
    await begun;
    const opening = [textField('/file'), uint32(1), uint32(0)];
    await handleAll(requests, packetOf(PACKET.OPEN, uint32(1), ...opening));
    await handleAll(answers, packetOf(PACKET.HANDLE, uint32(1), textField('handle')));
    const before = fetches();
    for (let id = 2; id < PIECES; id += 1) {
      const reading = [textField('handle'), uint32(0), uint32(0), uint32(8)];
      await handleAll(requests, packetOf(PACKET.READ, uint32(id), ...reading));
      await handleAll(answers, packetOf(PACKET.DATA, uint32(id), textField('a canary')));
    }
    expect(Buffer.concat(answers.takePieces()).includes('canary')).toBe(false);
    expect(fetches() - before).toBeLessThan(5);
  });
});
