import { type Bytes, PacketCutter, PacketReader, PacketWriter } from './packets';
import { type RemotePath, shown, textBytes } from './paths';

/** Types of packets: draft-ietf-secsh-filexfer-02, section 3. */
const TYPE = {
  INIT: 1,
  VERSION: 2,
  OPEN: 3,
  CLOSE: 4,
  READ: 5,
  WRITE: 6,
  OPENDIR: 11,
  READDIR: 12,
  REMOVE: 13,
  MKDIR: 14,
  RMDIR: 15,
  REALPATH: 16,
  STAT: 17,
  RENAME: 18,
  STATUS: 101,
  HANDLE: 102,
  DATA: 103,
  NAME: 104,
  ATTRS: 105,
} as const;
const VERSION = 3;
const OK = 0;
const END_OF_FILE = 1;
/** Flags of OPEN: read; write, create and truncate; write and create what is not there. */
const FLAGS = { read: 0x01, replace: 0x02 | 0x08 | 0x10, create: 0x02 | 0x08 | 0x20 } as const;
/** Bytes that one packet reads or writes: all servers take so many. */
const PIECE_BYTES = 32 * 1024;
/** Packets that are on the way at a time. */
const AT_ONCE = 6;
/** Maximum number of entries of a folder that are shown. */
export const MOST_ENTRIES = 10_000;

const KIND_MASK = 0o170000;
const KINDS: Readonly<Record<number, EntryKind>> = { 0o040000: 'folder', 0o100000: 'file', 0o120000: 'link' };
const HAS = { size: 0x1, owner: 0x2, permissions: 0x4, times: 0x8, extended: 0x80000000 } as const;

export type EntryKind = 'folder' | 'file' | 'link' | 'other';

export interface Attributes {
  readonly kind: EntryKind;
  /** Size in bytes; undefined if the server does not give it. */
  readonly size: number | undefined;
  /** Time of the last change; undefined if the server does not give it. */
  readonly changed: Date | undefined;
}

export interface Entry extends Attributes {
  readonly name: RemotePath;
}

export interface Folder {
  readonly entries: readonly Entry[];
  /** Whether the folder has more entries. */
  readonly hasMore: boolean;
}

/** The answer of the server, or of the gateway, to what it did not do. */
export class SftpFault extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

interface Answer {
  readonly type: number;
  readonly fields: PacketReader;
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** Asks for files of a server by SFTP, version 3. */
export class Sftp {
  private readonly cutter = new PacketCutter();
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private lost: Error | undefined;

  /** @param send sends bytes to the server */
  constructor(private readonly send: (bytes: Bytes) => void) {}

  /** Takes bytes of the server. @throws for bytes that are no packets */
  receive(bytes: Uint8Array): void {
    for (const packet of this.cutter.push(bytes)) {
      const fields = new PacketReader(packet);
      const type = fields.byte();
      const id = type === TYPE.VERSION ? 0 : fields.uint32();
      const waiting = this.waiting.get(id);
      this.waiting.delete(id);
      waiting?.resolve({ type, fields });
    }
  }

  /** Fails what waits for an answer, and all that is asked later. */
  end(error: Error): void {
    this.lost = error;
    for (const waiting of this.waiting.values()) waiting.reject(error);
    this.waiting.clear();
  }

  /** Begins, and returns the path of the folder in which the server starts. */
  async begin(): Promise<RemotePath> {
    await this.answerTo(new PacketWriter(TYPE.INIT).uint32(VERSION));
    return this.path(TYPE.REALPATH, textBytes('.'));
  }

  /** The path of a folder without `..` and links. */
  async resolved(path: RemotePath): Promise<RemotePath> {
    return this.path(TYPE.REALPATH, path);
  }

  /** The attributes of what a path leads to, through links. */
  async stat(path: RemotePath): Promise<Attributes> {
    return attributesIn(await this.ask(TYPE.ATTRS, this.packet(TYPE.STAT).bytes(path)));
  }

  async list(path: RemotePath): Promise<Folder> {
    const handle = await this.handle(this.packet(TYPE.OPENDIR).bytes(path));
    const entries: Entry[] = [];
    let hasMore = false;
    try {
      while (!hasMore) {
        const fields = await this.ask(TYPE.NAME, this.packet(TYPE.READDIR).bytes(handle));
        for (let left = fields.uint32(); left > 0; left -= 1) {
          const name = fields.bytes();
          // The same in one line, as `ls -l` shows it.
          fields.bytes();
          const entry = { name, ...attributesIn(fields) };
          if (!isDots(name)) entries.push(entry);
        }
        hasMore = entries.length >= MOST_ENTRIES;
      }
    } catch (error) {
      if (!isEnd(error)) throw error;
    } finally {
      await this.close(handle);
    }
    return { entries, hasMore };
  }

  /** Reads a whole file. @param read called with the number of bytes so far */
  async read(path: RemotePath, read: (bytes: number) => void): Promise<Blob> {
    const handle = await this.handle(this.packet(TYPE.OPEN).bytes(path).uint32(FLAGS.read).uint32(0));
    const pieces: Bytes[] = [];
    const ahead: Promise<Bytes | undefined>[] = [];
    let asked = 0;
    let size = 0;
    try {
      for (;;) {
        for (; ahead.length < AT_ONCE; asked += PIECE_BYTES) {
          const next = this.piece(handle, asked);
          // It is awaited later, or not at all if an earlier one failed.
          next.catch(() => undefined);
          ahead.push(next);
        }
        const piece = await ahead.shift();
        if (piece === undefined) return new Blob(pieces);
        pieces.push(piece);
        size += piece.length;
        read(size);
        if (piece.length === PIECE_BYTES) continue;
        // The server gave less than was asked for: the next piece begins there.
        await Promise.allSettled(ahead.splice(0));
        asked = size;
      }
    } finally {
      await Promise.allSettled(ahead);
      await this.close(handle);
    }
  }

  /**
   * Writes a file. @param how whether a file of that path is replaced, or nothing is written if there is one
   * @param written called with the number of bytes so far
   */
  async write(
    path: RemotePath,
    file: Blob,
    how: 'create' | 'replace',
    written: (bytes: number) => void,
  ): Promise<void> {
    const handle = await this.handle(this.packet(TYPE.OPEN).bytes(path).uint32(FLAGS[how]).uint32(0));
    try {
      const onTheWay: Promise<void>[] = [];
      for (let at = 0; at < file.size; at += PIECE_BYTES) {
        const piece = new Uint8Array(await file.slice(at, at + PIECE_BYTES).arrayBuffer());
        if (onTheWay.length >= AT_ONCE) await onTheWay.shift();
        const packet = this.packet(TYPE.WRITE).bytes(handle).uint64(at).bytes(piece);
        const writing = this.done(packet).then(() => written(at + piece.length));
        // It is awaited later, or not at all if an earlier one failed.
        writing.catch(() => undefined);
        onTheWay.push(writing);
      }
      await Promise.all(onTheWay);
    } catch (error) {
      await this.close(handle);
      throw error;
    }
    // A server may find out only now that the file does not fit.
    await this.done(this.packet(TYPE.CLOSE).bytes(handle));
  }

  async makeFolder(path: RemotePath): Promise<void> {
    await this.done(this.packet(TYPE.MKDIR).bytes(path).uint32(0));
  }

  async rename(from: RemotePath, to: RemotePath): Promise<void> {
    await this.done(this.packet(TYPE.RENAME).bytes(from).bytes(to));
  }

  /** Removes a file, a link or an empty folder. */
  async remove(path: RemotePath, kind: EntryKind): Promise<void> {
    await this.done(this.packet(kind === 'folder' ? TYPE.RMDIR : TYPE.REMOVE).bytes(path));
  }

  /** One piece of a file; undefined at its end. */
  private async piece(handle: RemotePath, at: number): Promise<Bytes | undefined> {
    const packet = this.packet(TYPE.READ).bytes(handle).uint64(at).uint32(PIECE_BYTES);
    try {
      return (await this.ask(TYPE.DATA, packet)).bytes();
    } catch (error) {
      if (isEnd(error)) return undefined;
      throw error;
    }
  }

  private async path(type: number, path: RemotePath): Promise<RemotePath> {
    const fields = await this.ask(TYPE.NAME, this.packet(type).bytes(path));
    fields.uint32();
    return fields.bytes();
  }

  private async handle(packet: PacketWriter): Promise<RemotePath> {
    return (await this.ask(TYPE.HANDLE, packet)).bytes();
  }

  /** Closes an open file or folder. What failed before is the fault that people see. */
  private async close(handle: RemotePath): Promise<void> {
    await this.done(this.packet(TYPE.CLOSE).bytes(handle)).catch(() => undefined);
  }

  private async done(packet: PacketWriter): Promise<void> {
    await this.ask(TYPE.STATUS, packet);
  }

  /** @throws SftpFault for another answer than the expected one */
  private async ask(expected: number, packet: PacketWriter): Promise<PacketReader> {
    const { type, fields } = await this.answerTo(packet);
    if (type === TYPE.STATUS) {
      const code = fields.uint32();
      if (code !== OK) throw new SftpFault(code, shown(fields.bytes()));
    }
    if (type !== expected) throw new Error(`an answer of type ${type}`);
    return fields;
  }

  private answerTo(packet: PacketWriter): Promise<Answer> {
    if (this.lost !== undefined) return Promise.reject(this.lost);
    return new Promise((resolve, reject) => {
      this.waiting.set(packet.id ?? 0, { resolve, reject });
      this.send(packet.whole());
    });
  }

  /** Begins a request with an id of its own. */
  private packet(type: number): PacketWriter {
    return new PacketWriter(type, (this.lastId += 1));
  }
}

function attributesIn(fields: PacketReader): Attributes {
  const flags = fields.uint32();
  const size = (flags & HAS.size) === 0 ? undefined : fields.uint64();
  if ((flags & HAS.owner) !== 0) fields.skip(8);
  const permissions = (flags & HAS.permissions) === 0 ? undefined : fields.uint32();
  let changed: Date | undefined;
  if ((flags & HAS.times) !== 0) {
    fields.skip(4);
    changed = new Date(fields.uint32() * 1000);
  }
  if ((flags & HAS.extended) !== 0)
    for (let left = fields.uint32(); left > 0; left -= 1) {
      fields.bytes();
      fields.bytes();
    }
  const kind = permissions === undefined ? 'other' : (KINDS[permissions & KIND_MASK] ?? 'other');
  return { kind, size, changed };
}

function isEnd(error: unknown): boolean {
  return error instanceof SftpFault && error.code === END_OF_FILE;
}

function isDots(name: RemotePath): boolean {
  return /^\.{1,2}$/.test(shown(name));
}
