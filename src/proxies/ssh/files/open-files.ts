import { type Hash, createHash } from 'node:crypto';
import { PACKET } from './packets';

/** The bytes that were moved in one direction, with their hash while they are moved in order. */
class Transfer {
  private hash: Hash | undefined = createHash('sha256');
  private next = 0;
  bytes = 0;

  /** Whether all bytes were moved in order, and those at this place continue them. */
  continues(offset: number): boolean {
    return this.hash !== undefined && offset === this.next;
  }

  add(offset: number, data: Buffer): void {
    if (!this.continues(offset)) this.hash = undefined;
    this.hash?.update(data);
    this.next = offset + data.length;
    this.bytes += data.length;
  }

  /** Returns a line about the moved bytes; undefined if there are none. */
  summary(direction: string, path: string): string | undefined {
    if (this.bytes === 0) return undefined;
    const hash = this.hash === undefined ? 'not in order' : `SHA-256 ${this.hash.digest('hex')}`;
    return `${direction} ${this.bytes} bytes, ${hash}: ${path}\n`;
  }
}

/**
 * Number of the gateway's own request, which asks for the folder in which the server begins. It is answered
 * before a request of the client is sent, so any number serves.
 */
export const START_ID = 0;

/** A file or folder that a client has open. */
export class OpenFile {
  readonly reading = new Transfer();
  readonly writing = new Transfer();
  /** The last text that was written, which is judged again with what comes after it. */
  before = '';

  /**
   * @param path the path as it was sent
   * @param absolute the same as an absolute path
   */
  constructor(
    readonly path: string,
    readonly absolute: string,
  ) {}

  /** Returns lines about the moved bytes. */
  summary(): string {
    const lines = [this.reading.summary('read', this.path), this.writing.summary('wrote', this.path)];
    return lines.filter((line) => line !== undefined).join('');
  }
}

/** A request that waits for its answer. */
export interface PendingRequest {
  readonly type: number;
  readonly path: string;
  readonly absolute: string;
  readonly file: OpenFile | undefined;
  readonly handle: string | undefined;
  readonly offset: number;
  /** Bytes that the gateway asked for before those of the client, and how many the client asked for. */
  readonly window: { readonly before: number; readonly length: number } | undefined;
}

/** The files of a client, for the readers of both directions. */
export class OpenFiles {
  readonly pending = new Map<number, PendingRequest>();
  private readonly files = new Map<string, OpenFile>();
  /** Answers of the gateway itself, which wait to be sent to the client. */
  private answers: Buffer[] = [];
  /** Whether the server owes the answer to the gateway's own request. */
  private owesStart = false;
  /** Debts of the server at the end of its output. */
  private atEnd = { owesAnswers: false, hasOpenFiles: false };
  private tellStart!: (folder: string | undefined) => void;

  private readonly startFolder = new Promise<string | undefined>((resolve) => {
    this.tellStart = resolve;
  });

  /** Waits for the folder in which the server begins. Resolves with undefined if it stays unknown. */
  begin(): Promise<string | undefined> {
    this.owesStart = true;
    return this.startFolder;
  }

  /** Sets the folder in which the server begins. Later calls have no effect. */
  startsIn(folder: string | undefined): void {
    this.owesStart = false;
    this.tellStart(folder);
  }

  /** Notes that the server answers nothing more. */
  ended(): void {
    const owesAnswers = this.owesStart || this.pending.size > 0;
    this.atEnd = { owesAnswers, hasOpenFiles: this.files.size > 0 };
  }

  /**
   * Whether the output of the server ended in the middle of a transfer: before an answer, or before the
   * client closed its files.
   * @param isUsed whether the client may still send something; otherwise it leaves its files to the server
   */
  isCutOff(isUsed: boolean): boolean {
    const { owesAnswers, hasOpenFiles } = this.atEnd;
    return owesAnswers || (hasOpenFiles && isUsed);
  }

  opened(handle: string, { path, absolute }: PendingRequest): void {
    this.files.set(handle, new OpenFile(path, absolute));
  }

  find(handle: string): OpenFile | undefined {
    return this.files.get(handle);
  }

  closed(handle: string): void {
    this.files.delete(handle);
  }

  /** Takes the files that are open still, or whose end the server has not confirmed. */
  takeAll(): OpenFile[] {
    const closing = [...this.pending.values()].filter(({ type }) => type === PACKET.CLOSE);
    const all = [...this.files.values(), ...closing.flatMap(({ file }) => file ?? [])];
    this.files.clear();
    this.pending.clear();
    this.startsIn(undefined);
    return all;
  }

  answer(packet: Buffer): void {
    this.answers.push(packet);
  }

  takeAnswers(): Buffer[] {
    return this.answers.splice(0);
  }
}
