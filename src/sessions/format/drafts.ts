import { Draft, type DraftPiece } from './draft';
import { PIECE_HEAD_BYTES, LOWER_CASE } from './event-codec';

/** Step to which the initial size of a draft's buffer is rounded up. */
const STEP_BYTES = 4 * 1024;

/** Pending events of a session, grouped into the chunks that will store them. */
export class Drafts {
  private list: Draft[] = [];
  /**
   * Drafts with the pieces of an incomplete large event. `takeDrafts` returns none of them until the last
   * piece arrives.
   */
  private begun: Draft[] = [];
  /**
   * Size of the last stored draft. The next draft begins with this size, because growing a buffer leaves
   * smaller copies behind.
   */
  private usual = 0;
  /** Bytes of content. */
  bytes = 0;

  get count(): number {
    return this.list.length;
  }

  /** Mark (number of a journal batch) of the oldest pending draft; undefined when there is none. */
  get oldestMark(): number | undefined {
    return (this.list[0] ?? this.begun[0])?.mark;
  }

  /**
   * Time (`performance.now()`) before which no event that can be stored was added; undefined if there is no
   * such event.
   */
  get oldestSince(): number | undefined {
    return this.list[0]?.begunAt;
  }

  /** Adds an event. The draft keeps `mark` only if the event begins a new draft. */
  add(event: DraftPiece, mark: number): void {
    this.bytes += event.length;
    let draft = this.list.at(-1);
    let room = draft?.roomFor(event.number) ?? 0;
    if (draft === undefined || room === 0) {
      draft = this.begin(event.number, mark);
      room = draft.roomFor(event.number);
    }
    if (event.length <= room) draft.add(event);
    else this.addInParts(event, mark, draft, room);
  }

  /**
   * Adds a piece of a large event. A piece is no larger than a chunk. The last piece has a lower-case letter.
   */
  addPiece(piece: DraftPiece, mark: number): void {
    const draft = new Draft(piece.number, mark, PIECE_HEAD_BYTES + piece.length);
    draft.add(piece);
    this.begun.push(draft);
    if (draft.isOpenEnded) return;
    for (const { rawSize } of this.begun) this.bytes += rawSize;
    this.list = this.list.concat(this.begun);
    this.begun = [];
  }

  /** Drops the pieces of a large event that will not be completed. */
  dropPieces(): void {
    this.begun = [];
  }

  /** Whether `takeDrafts` would return more than twice `maxBytes` because of one large event. */
  isLarge(maxBytes: number): boolean {
    return this.bytes > 2 * maxBytes && this.reach(maxBytes).bytes > 2 * maxBytes;
  }

  /**
   * Closes and returns the first drafts that contain whole events, about `maxBytes` in total. Call
   * `dropThrough` to remove them after they are stored.
   */
  takeDrafts(maxBytes: number): readonly Draft[] {
    const taken = this.list.slice(0, this.reach(maxBytes).count);
    for (const draft of taken) draft.seal();
    return taken;
  }

  /** Counts the first drafts that contain whole events, about `maxBytes` in total. Returns their size too. */
  private reach(maxBytes: number): { readonly count: number; readonly bytes: number } {
    let [count, bytes] = [0, 0];
    for (const { rawSize } of this.list) {
      const isPart = this.list[count - 1]?.isOpenEnded === true;
      if (count > 0 && bytes + rawSize > maxBytes && !isPart) break;
      count += 1;
      bytes += rawSize;
    }
    return { count, bytes };
  }

  /** Removes the events up to and including `number`. */
  dropThrough(number: number): void {
    for (let draft = this.list[0]; draft !== undefined; draft = this.list[0]) {
      const before = draft.rawSize;
      if (draft.last > number) {
        draft.dropThrough(number);
        this.bytes -= before - draft.rawSize;
        return;
      }
      this.usual = draft.bytes.length;
      this.bytes -= before;
      this.list.shift();
      draft.release();
    }
  }

  private begin(number: number, mark: number): Draft {
    const before = this.list.at(-1);
    const draft = new Draft(number, mark, roomFor(Math.max(this.usual, before?.bytes.length ?? 0)));
    this.list.push(draft);
    return draft;
  }

  /** Splits an event over several drafts. */
  private addInParts(event: DraftPiece, mark: number, first: Draft, firstRoom: number): void {
    const { number, time, letter } = event;
    let rest = typeof event.content === 'string' ? Buffer.from(event.content) : event.content;
    let draft = first;
    for (let room = firstRoom; rest.length > room; room = draft.roomFor(number)) {
      const content = rest.subarray(0, room);
      draft.add({ number, time, letter: letter & ~LOWER_CASE, content, length: room });
      rest = rest.subarray(room);
      draft = this.begin(number, mark);
    }
    draft.add({ number, time, letter, content: rest, length: rest.length });
  }
}

/** Returns the initial buffer size of a draft. It is tiny for the first draft, and while drafts are small. */
function roomFor(usual: number): number {
  return usual < STEP_BYTES ? usual : Math.ceil(usual / STEP_BYTES) * STEP_BYTES;
}
