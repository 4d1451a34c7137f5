import type { Session } from '../../../gate/session';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import type { OutputReader } from '../streams/stream-readers';
import { transferOf } from './file-operation';
import { KNOWN_EXTENSIONS } from './file-request';
import { type OpenFile, type OpenFiles, type PendingRequest, START_ID } from './open-files';
import {
  PACKET,
  PacketCutter,
  PacketFields,
  STATUS,
  VERSION,
  packetOf,
  statusPacket,
  textField,
  uint32,
} from './packets';

const MASKED = 'A rule masks text in this file, so it cannot be transferred.';
const MASKED_NAMES = 'A rule masks names in this folder, so it cannot be listed.';

/** Answers of a server of SFTP: screened, recorded, and delivered or refused. */
export class FileAnswerReader implements OutputReader {
  private readonly cutter = new PacketCutter();
  private deliverable: Buffer[] = [];
  private knowsStart = false;

  constructor(
    private readonly session: Session,
    private readonly files: OpenFiles,
  ) {}

  push(chunk: Buffer): void {
    this.cutter.push(chunk);
  }

  /** @throws MalformedPacket */
  next(): MaybePromise<boolean> {
    const packet = this.cutter.next();
    if (packet === undefined) return false;
    const fields = new PacketFields(packet);
    const type = fields.byte();
    if (type === PACKET.VERSION) return this.deliver(knownVersion(fields));
    const id = fields.uint32();
    if (!this.knowsStart) return this.startKnown(id, type, fields);
    const request = this.files.pending.get(id);
    // An answer to nothing reaches no client.
    if (request === undefined) return true;
    this.files.pending.delete(id);
    // The rules may have changed since the request.
    return thenMaybe(this.session.followRules(), () =>
      thenMaybe(this.screened(id, type, fields, request), (refusal) => this.deliver(refusal ?? packet)),
    );
  }

  finish(): Promise<void> {
    this.files.ended();
    this.abandon();
    return Promise.resolve();
  }

  /** Records what was moved of the files that the client did not close. */
  abandon(): void {
    for (const file of this.files.takeAll()) this.noteSummary(file);
  }

  takePieces(): Buffer[] {
    const pieces = [...this.deliverable, ...this.files.takeAnswers()];
    this.deliverable = [];
    return pieces;
  }

  /** Screens an answer, and keeps its facts. @returns the answer that replaces it, if a rule refuses it */
  private screened(
    id: number,
    type: number,
    fields: PacketFields,
    request: PendingRequest,
  ): MaybePromise<Buffer | undefined> {
    const { file } = request;
    if (request.type === PACKET.CLOSE && file !== undefined) this.noteSummary(file);
    if (type === PACKET.HANDLE) this.files.opened(fields.bytes().toString('latin1'), request);
    if (type === PACKET.NAME) return this.screenNames(id, fields);
    if (type === PACKET.DATA) return this.judgeData(id, fields.bytes(), request);
    return undefined;
  }

  /** Judges how much was read. A request may ask for more than there is. */
  private judgeData(id: number, data: Buffer, request: PendingRequest): MaybePromise<Buffer | undefined> {
    const { file, offset, window } = request;
    if (file === undefined || !this.session.judgesInput) return this.screenData(id, data, request);
    const wanted = window === undefined ? data.length : Math.min(data.length - window.before, window.length);
    const command = transferOf('read', file, offset + Math.max(wanted, 0));
    return thenMaybe(this.session.admitAhead(command), (admission) =>
      admission.kind === 'refused' ? refusal(id, admission.message) : this.screenData(id, data, request),
    );
  }

  /** Takes the answer to the gateway's own request, which is the first. */
  private startKnown(id: number, type: number, fields: PacketFields): true {
    if (id !== START_ID) return true;
    this.knowsStart = true;
    const folder = type === PACKET.NAME && fields.uint32() === 1 ? fields.bytes().toString() : '';
    this.files.startsIn(folder.startsWith('/') ? folder : undefined);
    return true;
  }

  private screenNames(id: number, fields: PacketFields): MaybePromise<Buffer | undefined> {
    if (!this.session.screensOutput) return undefined;
    const names = namesOf(fields);
    return thenMaybe(this.session.screenTexts(names), (screened) => {
      if ('blocked' in screened) return refusal(id, screened.blocked);
      return screened.texts.every((text, index) => text === names[index])
        ? undefined
        : this.refuse(id, MASKED_NAMES);
    });
  }

  private screenData(
    id: number,
    data: Buffer,
    { file, offset, window: known }: PendingRequest,
  ): MaybePromise<Buffer | undefined> {
    const window = known ?? (this.session.screensOutput ? { before: 0, length: data.length } : undefined);
    if (window === undefined) return this.moved(file, offset, data);
    const wanted = data.subarray(window.before, window.before + window.length);
    if (wanted.length === 0) return statusPacket(id, STATUS.END_OF_FILE, 'End of file');
    const text = data.toString();
    return thenMaybe(this.session.screenTexts([text]), (screened) => {
      if ('blocked' in screened) return refusal(id, screened.blocked);
      if (screened.texts[0] !== text) return this.refuse(id, MASKED);
      this.moved(file, offset, wanted);
      return packetOf(PACKET.DATA, uint32(id), textField(wanted));
    });
  }

  private moved(file: OpenFile | undefined, offset: number, data: Buffer): undefined {
    file?.reading.add(offset, data);
    this.keep(data);
  }

  /** Records the content of a file if the connection records results. */
  private keep(data: Buffer): void {
    if (this.session.target.recording.results) void this.session.note({ type: 'o', content: data });
  }

  private refuse(id: number, message: string): Buffer {
    void this.session.note({ type: 'e', content: `${message}\n` });
    return refusal(id, message);
  }

  private noteSummary(file: OpenFile): void {
    const content = file.summary();
    if (content !== '') void this.session.note({ type: 'o', content });
  }

  private deliver(packet: Buffer): true {
    this.deliverable.push(packet);
    return true;
  }
}

function refusal(id: number, message: string): Buffer {
  return statusPacket(id, STATUS.PERMISSION_DENIED, message);
}

/** The server's version without the extensions that the gateway does not know. */
function knownVersion(fields: PacketFields): Buffer {
  fields.uint32();
  const known: Buffer[] = [];
  while (!fields.isOver) {
    const name = fields.bytes();
    const data = fields.bytes();
    if (KNOWN_EXTENSIONS.has(name.toString('latin1'))) known.push(textField(name), textField(data));
  }
  return packetOf(PACKET.VERSION, uint32(VERSION), ...known);
}

/** Names in an answer, each with the line that a listing shows. */
function namesOf(fields: PacketFields): string[] {
  const count = fields.uint32();
  const names: string[] = [];
  for (let index = 0; index < count && !fields.isOver; index += 1) {
    names.push(fields.bytes().toString(), fields.bytes().toString());
    skipAttributes(fields);
  }
  return names;
}

const ATTRIBUTES = { size: 0x1, owner: 0x2, permissions: 0x4, times: 0x8, extended: 0x8000_0000 } as const;

/** Skips the attributes of a file: section 5 of the draft. */
function skipAttributes(fields: PacketFields): void {
  const flags = fields.uint32();
  const has = (flag: number): boolean => (flags & flag) !== 0;
  if (has(ATTRIBUTES.size)) fields.uint64();
  if (has(ATTRIBUTES.owner)) fields.uint64();
  if (has(ATTRIBUTES.permissions)) fields.uint32();
  if (has(ATTRIBUTES.times)) fields.uint64();
  if (!has(ATTRIBUTES.extended)) return;
  for (let left = fields.uint32(); left > 0 && !fields.isOver; left -= 1) {
    fields.bytes();
    fields.bytes();
  }
}
