import { type FileOperation, operationOf } from './file-operation';
import { PACKET, PacketFields } from './packets';

/** A request, as rules, the policy of the connection and the recording need it. */
export interface FileRequest {
  readonly id: number;
  readonly type: number;
  /** Whether it changes the server. */
  readonly isWrite: boolean;
  /** The operation in words, `remove /etc/motd`, if it names a path; undefined for others. */
  readonly operation: FileOperation | undefined;
  /** The open file that it uses. */
  readonly handle: string | undefined;
  /** Place and bytes of a WRITE, or place of a READ. */
  readonly offset: number;
  /** Number of bytes that a READ asks for. */
  readonly length: number;
  readonly data: Buffer | undefined;
}

const OPEN_FLAGS = {
  read: 0x01,
  write: 0x02,
  append: 0x04,
  create: 0x08,
  truncate: 0x10,
  exclusive: 0x20,
} as const;

/**
 * Requests of OpenSSH in addition to the standard. Others are refused, also `limits@openssh.com`: without it,
 * clients ask for 32 KiB at a time, and what rules look at around that still fits into one answer.
 */
const EXTENSIONS: Readonly<Record<string, (id: number, fields: PacketFields) => FileRequest>> = {
  'posix-rename@openssh.com': (id, fields) => onPaths(id, 'rename', fields, true, 2),
  'hardlink@openssh.com': (id, fields) => onPaths(id, 'link', fields, true, 2),
  'lsetstat@openssh.com': (id, fields) => onPaths(id, 'setstat', fields, true),
  'statvfs@openssh.com': (id, fields) => onPaths(id, 'statvfs', fields, false),
  'expand-path@openssh.com': (id, fields) => onPaths(id, 'realpath', fields, false),
  'fstatvfs@openssh.com': (id, fields) => onHandle(id, fields, false),
  'fsync@openssh.com': (id, fields) => onHandle(id, fields, true),
};

/** Names of the known extensions. */
export const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set(Object.keys(EXTENSIONS));

/** Names of operations on one path, and whether they change the server. */
const ON_PATH: ReadonlyMap<number, readonly [name: string, isWrite: boolean]> = new Map([
  [PACKET.LSTAT, ['lstat', false]],
  [PACKET.STAT, ['stat', false]],
  [PACKET.REALPATH, ['realpath', false]],
  [PACKET.READLINK, ['readlink', false]],
  [PACKET.OPENDIR, ['list', false]],
  [PACKET.SETSTAT, ['setstat', true]],
  [PACKET.REMOVE, ['remove', true]],
  [PACKET.MKDIR, ['mkdir', true]],
  [PACKET.RMDIR, ['rmdir', true]],
]);
/** Questions, which clients ask all the time. They are judged, and recorded if they are refused. */
const QUESTIONS = new Set(['lstat', 'stat', 'realpath', 'statvfs']);

/**
 * Reads a request of a client.
 * @returns undefined for one that the gateway does not know. @throws MalformedPacket
 */
export function readFileRequest(packet: Buffer): FileRequest | { readonly unknown: number } {
  const fields = new PacketFields(packet);
  const type = fields.byte();
  const id = fields.uint32();
  const onPath = ON_PATH.get(type);
  if (onPath !== undefined) return onPaths(id, onPath[0], fields, onPath[1], 1, type);
  switch (type) {
    case PACKET.OPEN:
      return opening(id, fields);
    case PACKET.RENAME:
      return onPaths(id, 'rename', fields, true, 2, type);
    case PACKET.SYMLINK:
      return onPaths(id, 'symlink', fields, true, 2, type);
    case PACKET.READ:
    case PACKET.WRITE:
      return transfer(id, type, fields);
    case PACKET.CLOSE:
    case PACKET.FSTAT:
    case PACKET.READDIR:
      return onHandle(id, fields, false, type);
    case PACKET.FSETSTAT:
      return onHandle(id, fields, true, type);
    case PACKET.EXTENDED: {
      const name = fields.bytes().toString('latin1');
      const extension = Object.hasOwn(EXTENSIONS, name) ? EXTENSIONS[name] : undefined;
      return extension === undefined ? { unknown: id } : extension(id, fields);
    }
    default:
      return { unknown: id };
  }
}

/** Returns a request about an open file. One that changes its attributes is an operation on its path. */
export function onOpenFile(request: FileRequest, path: string): FileRequest {
  if (request.type !== PACKET.FSETSTAT) return request;
  return { ...request, operation: operationOf('setstat', [path], true) };
}

function opening(id: number, fields: PacketFields): FileRequest {
  const path = fields.bytes().toString();
  const flags = fields.uint32();
  const isWrite = (flags & ~OPEN_FLAGS.read) !== 0;
  // OpenSSH opens a file for reading where no flag asks for anything else, and changes it by other flags than
  // `write`, too.
  const isRead = (flags & OPEN_FLAGS.write) === 0;
  const effective = flags | (isRead ? OPEN_FLAGS.read : 0) | (isWrite ? OPEN_FLAGS.write : 0);
  const names = Object.entries(OPEN_FLAGS).filter(([, flag]) => (effective & flag) !== 0);
  const words = `open ${names.map(([name]) => name).join(',')}`;
  return {
    ...plain(id, PACKET.OPEN, isWrite),
    operation: operationOf(words, [path], true),
  };
}

function transfer(id: number, type: number, fields: PacketFields): FileRequest {
  const handle = fields.bytes().toString('latin1');
  const offset = fields.uint64();
  if (type === PACKET.READ) return { ...plain(id, type, false), handle, offset, length: fields.uint32() };
  return { ...plain(id, type, true), handle, offset, data: fields.bytes() };
}

function onPaths(
  id: number,
  name: string,
  fields: PacketFields,
  isWrite: boolean,
  count = 1,
  type: number = PACKET.EXTENDED,
): FileRequest {
  const paths = Array.from({ length: count }, () => fields.bytes().toString());
  return { ...plain(id, type, isWrite), operation: operationOf(name, paths, !QUESTIONS.has(name)) };
}

function onHandle(
  id: number,
  fields: PacketFields,
  isWrite: boolean,
  type: number = PACKET.EXTENDED,
): FileRequest {
  return { ...plain(id, type, isWrite), handle: fields.bytes().toString('latin1') };
}

function plain(id: number, type: number, isWrite: boolean): FileRequest {
  return {
    id,
    type,
    isWrite,
    operation: undefined,
    handle: undefined,
    offset: 0,
    length: 0,
    data: undefined,
  };
}
