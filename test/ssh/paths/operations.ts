import { PACKET, textField, uint32 } from '../../../src/proxies/ssh/files/packets';
import type { RawSftp, SftpAnswer } from '../../support/ssh/raw-sftp';

/** Flags of OPEN: draft-ietf-secsh-filexfer-02, section 6.3. */
const FLAG = { read: 0x01, write: 0x02, append: 0x04, create: 0x08, truncate: 0x10 } as const;
const NO_ATTRIBUTES = uint32(0);
/** Attributes that set the size to zero, and those that set the mode to 0777. */
const EMPTY = Buffer.concat([uint32(0x1), Buffer.alloc(8)]);
const FOR_ALL = Buffer.concat([uint32(0x4), uint32(0o777)]);
const AT_BEGINNING = Buffer.alloc(8);

/** An operation of SFTP on a guarded path. */
export interface Operation {
  readonly name: string;
  /** The path that it works on, from the world. */
  readonly rest: 'secret/key.txt' | 'secret' | 'secret/new.txt' | 'secret/new' | 'secret/empty';
  /**
   * Runs it. Resolves with what it read: not empty if the attacker learned something. What it changed shows
   * in the state of the world.
   * @param mine absolute path of the attacker's folder
   */
  readonly run: (sftp: RawSftp, path: Buffer, mine: string) => Promise<string>;
}

async function handleOf(answer: SftpAnswer | undefined): Promise<Buffer | undefined> {
  return answer?.type === PACKET.HANDLE ? textField(answer.fields.bytes()) : undefined;
}

/** Opens a file with these flags, and uses it. */
function opened(
  flags: number,
  use: (sftp: RawSftp, handle: Buffer) => Promise<string> = () => Promise.resolve(''),
): Operation['run'] {
  return async (sftp, path) => {
    const handle = await handleOf(await sftp.ask(PACKET.OPEN, textField(path), uint32(flags), NO_ATTRIBUTES));
    if (handle === undefined) return '';
    const used = await use(sftp, handle);
    await sftp.ask(PACKET.CLOSE, handle);
    return used;
  };
}

const reading = async (sftp: RawSftp, handle: Buffer): Promise<string> => {
  const answer = await sftp.ask(PACKET.READ, handle, AT_BEGINNING, uint32(100));
  return answer?.type === PACKET.DATA ? answer.fields.bytes().toString() : '';
};
const writing = async (sftp: RawSftp, handle: Buffer): Promise<string> => {
  await sftp.ask(PACKET.WRITE, handle, AT_BEGINNING, textField('overwritten'));
  return '';
};

/** Asks something about the path. What is learned is that there is an answer other than a status. */
const asking = (type: number): Operation['run'] => {
  return async (sftp, path) => {
    const answer = await sftp.ask(type, textField(path));
    return answer === undefined || answer.type === PACKET.STATUS ? '' : 'answered';
  };
};
const changing = (type: number, ...more: readonly Buffer[]): Operation['run'] => {
  return async (sftp, path) => {
    await sftp.ask(type, textField(path), ...more);
    return '';
  };
};

/** An operation on two paths, after which a copy or link of the attacker's is read. */
const moving = (send: (sftp: RawSftp, path: Buffer, other: Buffer) => Promise<unknown>): Operation['run'] => {
  return async (sftp, path, mine) => {
    const other = Buffer.from(`${mine}/taken.txt`);
    await send(sftp, textField(path), textField(other));
    return opened(FLAG.read, reading)(sftp, other, mine);
  };
};

async function listing(sftp: RawSftp, path: Buffer): Promise<string> {
  const handle = await handleOf(await sftp.ask(PACKET.OPENDIR, textField(path)));
  if (handle === undefined) return '';
  const answer = await sftp.ask(PACKET.READDIR, handle);
  await sftp.ask(PACKET.CLOSE, handle);
  return answer?.type === PACKET.NAME ? 'listed' : '';
}

const KEY = 'secret/key.txt';

export const OPERATIONS: readonly Operation[] = [
  { name: 'open and read', rest: KEY, run: opened(FLAG.read, reading) },
  { name: 'open without flags and read', rest: KEY, run: opened(0, reading) },
  { name: 'open to create and read', rest: KEY, run: opened(FLAG.create, reading) },
  { name: 'open for both and read', rest: KEY, run: opened(FLAG.read | FLAG.write, reading) },
  { name: 'open and write', rest: KEY, run: opened(FLAG.write, writing) },
  { name: 'open to append', rest: KEY, run: opened(FLAG.write | FLAG.append, writing) },
  { name: 'open to truncate alone', rest: KEY, run: opened(FLAG.truncate) },
  { name: 'open to truncate', rest: KEY, run: opened(FLAG.write | FLAG.create | FLAG.truncate) },
  { name: 'open to create', rest: 'secret/new.txt', run: opened(FLAG.write | FLAG.create, writing) },
  { name: 'open to create alone', rest: 'secret/new.txt', run: opened(FLAG.create) },
  { name: 'stat', rest: KEY, run: asking(PACKET.STAT) },
  { name: 'lstat', rest: KEY, run: asking(PACKET.LSTAT) },
  { name: 'truncate by attributes', rest: KEY, run: changing(PACKET.SETSTAT, EMPTY) },
  { name: 'change the mode', rest: KEY, run: changing(PACKET.SETSTAT, FOR_ALL) },
  {
    name: 'change the mode, of a link too',
    rest: KEY,
    run: async (sftp, path) => {
      await sftp.extended('lsetstat@openssh.com', textField(path), FOR_ALL);
      return '';
    },
  },
  { name: 'remove', rest: KEY, run: changing(PACKET.REMOVE) },
  { name: 'rename', rest: KEY, run: moving((sftp, path, other) => sftp.ask(PACKET.RENAME, path, other)) },
  {
    name: 'rename as POSIX does',
    rest: KEY,
    run: moving((sftp, path, other) => sftp.extended('posix-rename@openssh.com', path, other)),
  },
  {
    name: 'link',
    rest: KEY,
    run: moving((sftp, path, other) => sftp.extended('hardlink@openssh.com', path, other)),
  },
  {
    name: 'make a symbolic link',
    rest: KEY,
    run: moving((sftp, path, other) => sftp.ask(PACKET.SYMLINK, path, other)),
  },
  {
    name: 'make a symbolic link to the folder, relative to it',
    rest: KEY,
    run: async (sftp, _, mine) => {
      await sftp.ask(PACKET.SYMLINK, textField('../secret'), textField(`${mine}/taken`));
      return opened(FLAG.read, reading)(sftp, Buffer.from(`${mine}/taken/key.txt`), mine);
    },
  },
  {
    name: 'replace',
    rest: KEY,
    run: async (sftp, path, mine) => {
      await sftp.extended('posix-rename@openssh.com', textField(`${mine}/mine.txt`), textField(path));
      return '';
    },
  },
  { name: 'list', rest: 'secret', run: listing },
  { name: 'make a folder', rest: 'secret/new', run: changing(PACKET.MKDIR, NO_ATTRIBUTES) },
  { name: 'remove a folder', rest: 'secret/empty', run: changing(PACKET.RMDIR) },
];
