import type { JudgedText } from '../../../gate/command';
import type { Admission, Session } from '../../../gate/session';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import type { InputReader } from '../streams/stream-readers';
import { absolutePaths, isRelative, fileCommandOf, transferOf } from './file-operation';
import { type FileRequest, onOpenFile, readFileRequest } from './file-request';
import { type OpenFile, type OpenFiles, type PendingRequest, START_ID } from './open-files';
import {
  MalformedPacket,
  PACKET,
  PacketCutter,
  STATUS,
  VERSION,
  packetOf,
  statusPacket,
  textField,
  uint32,
} from './packets';

/** Maximum number of requests without an answer, above which nothing more is read from the client. */
const MAX_PENDING = 1_024;
/** Length of the earlier text that is judged again with each piece of a file, in UTF-16 code units. */
const LOOK_BACK = 4_096;

/** Bytes before and after those of a read that rules look at. */
const AROUND_BYTES = 16 * 1024;
/** Maximum number of bytes of a read under output rules. More would not fit into one answer. */
const MAX_READ_BYTES = 128 * 1024;

interface FileRequestReaderOptions {
  /** Whether the client may change the server. */
  readonly mayWrite: boolean;
  /** Called when the gateway itself has answered a request. */
  readonly answered: () => void;
}

/** Requests of a client of SFTP: judged, recorded, and forwarded or refused. */
export class FileRequestReader implements InputReader {
  readonly isAnswered = true;
  private readonly cutter = new PacketCutter();
  private forwardable: Buffer[] = [];
  private hasBegun = false;
  private startFolder: string | undefined;

  constructor(
    private readonly session: Session,
    private readonly files: OpenFiles,
    private readonly options: FileRequestReaderOptions,
  ) {}

  push(chunk: Buffer): void {
    this.cutter.push(chunk);
  }

  /** @throws (or rejects with) MalformedPacket */
  next(): MaybePromise<boolean> {
    const packet = this.cutter.next();
    if (packet === undefined) return false;
    if (!this.hasBegun) return this.begin(packet);
    const request = readFileRequest(packet);
    if ('unknown' in request)
      return this.answer(request.unknown, STATUS.UNSUPPORTED, 'This gateway does not know this request.');
    if (this.files.pending.has(request.id)) throw new MalformedPacket('two requests have one number');
    // Requests on an open file are no commands that would ask for the current rules. A write is an input.
    const { session } = this;
    const asked = request.isWrite ? session.askForRules() : session.followRules();
    return thenMaybe(asked, () => this.handle(request, packet));
  }

  get isFull(): boolean {
    return this.files.pending.size >= MAX_PENDING;
  }

  takePieces(): Buffer[] {
    const pieces = this.forwardable;
    this.forwardable = [];
    return pieces;
  }

  /**
   * The first packet names the version. Version 3 is asked for whatever the client knows. What comes next
   * waits until it is known what relative paths are relative to.
   */
  private async begin(packet: Buffer): Promise<true> {
    if (packet[4] !== PACKET.INIT) throw new MalformedPacket('the first packet names no version');
    this.hasBegun = true;
    const asked = packetOf(PACKET.REALPATH, uint32(START_ID), textField('.'));
    this.forwardable.push(packetOf(PACKET.INIT, uint32(VERSION)), asked);
    this.startFolder = await this.files.begin();
    return true;
  }

  private handle(read: FileRequest, packet: Buffer): MaybePromise<boolean> {
    const { id, isWrite, handle } = read;
    const file = handle === undefined ? undefined : this.files.find(handle);
    // A client that guesses a handle could otherwise move bytes that nobody judges and records.
    if (handle !== undefined && file === undefined)
      return this.answer(id, STATUS.FAILURE, 'There is no open file with this handle.');
    const request = file === undefined ? read : onOpenFile(read, file.path);
    const { operation } = request;
    const refusal = this.refusalOf(request, file);
    if (refusal !== undefined) {
      const unread = operation ?? { text: `write ${file?.path ?? ''}` };
      if (isWrite) this.session.refuse(refusal, { content: unread.text, kind: 'statement' });
      return this.answer(id, STATUS.PERMISSION_DENIED, refusal);
    }
    return thenMaybe(this.admit(request, file), (admission) => {
      if (admission?.kind === 'refused') return this.answer(id, STATUS.PERMISSION_DENIED, admission.message);
      return this.forward(request, packet, file);
    });
  }

  private refusalOf(
    { isWrite, type, operation, data, offset, length }: FileRequest,
    file: OpenFile | undefined,
  ): string | undefined {
    if (isWrite && !this.options.mayWrite) return 'This connection allows no changes by SFTP.';
    if (
      data !== undefined &&
      file !== undefined &&
      this.session.judgesInput &&
      !file.writing.continues(offset)
    )
      return 'Under the guardrails of this connection, a file is written from its beginning, in order.';
    if (operation !== undefined && this.session.judgesInput && this.startFolder === undefined)
      if (isRelative(operation))
        return 'The server does not tell in which folder it begins, so paths must be absolute.';
    // A shorter answer than was asked for would be right, but OpenSSH then cuts the file off.
    if (type === PACKET.READ && this.session.screensOutput && length > MAX_READ_BYTES)
      return 'Under the guardrails of this connection, a read asks for at most 128 KiB.';
    return undefined;
  }

  private admit(
    { operation, offset, data }: FileRequest,
    file: OpenFile | undefined,
  ): MaybePromise<Admission | undefined> {
    const { session } = this;
    if (operation !== undefined) return session.admitAhead(fileCommandOf(operation, this.startFolder ?? '/'));
    if (data === undefined || file === undefined) return undefined;
    const isKept = session.target.recording.results;
    if (!session.judgesInput && !isKept) return undefined;
    const text = file.before + data.toString();
    file.before = text.slice(-LOOK_BACK);
    const judged: JudgedText[] = [{ text, as: 'value' }];
    return thenMaybe(session.admitAhead(transferOf('write', file, offset + data.length)), (admission) =>
      admission.kind === 'refused'
        ? admission
        : session.admitAhead(
            isKept ? { kind: 'values', judged, recorded: data } : { kind: 'repeated', texts: judged },
          ),
    );
  }

  private forward(request: FileRequest, packet: Buffer, file: OpenFile | undefined): true {
    const { id, type, operation, handle, offset, data } = request;
    if (data !== undefined) file?.writing.add(offset, data);
    // The server may give the handle to the next file at once.
    if (type === PACKET.CLOSE && handle !== undefined) this.files.closed(handle);
    const isScreened = type === PACKET.READ && this.session.screensOutput;
    const window = isScreened ? windowOf(request) : undefined;
    this.files.pending.set(id, {
      type,
      path: operation?.paths[0] ?? file?.path ?? '',
      absolute: this.absolutePathOf(request, file),
      file,
      handle,
      offset,
      window,
    });
    this.forwardable.push(window === undefined ? packet : readOf(request, window));
    return true;
  }

  private absolutePathOf({ operation }: FileRequest, file: OpenFile | undefined): string {
    const [path] = operation === undefined ? [] : absolutePaths(operation, this.startFolder ?? '/');
    return path ?? file?.absolute ?? '';
  }

  private answer(id: number, code: number, message: string): true {
    this.files.answer(statusPacket(id, code, message));
    this.options.answered();
    return true;
  }
}

/**
 * The part of a file that rules look at, around the part that the client asks for: so a hit is found
 * wherever a client begins and ends to read.
 */
function windowOf({ offset, length }: FileRequest): NonNullable<PendingRequest['window']> {
  return { before: Math.min(offset, AROUND_BYTES), length };
}

function readOf(
  { id, handle = '', offset }: FileRequest,
  { before, length }: NonNullable<PendingRequest['window']>,
): Buffer {
  const from = Buffer.alloc(8);
  from.writeBigUInt64BE(BigInt(offset - before));
  const handleField = textField(Buffer.from(handle, 'latin1'));
  return packetOf(PACKET.READ, uint32(id), handleField, from, uint32(before + length + AROUND_BYTES));
}
