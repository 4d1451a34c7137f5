import { type FileEntry, type SFTPWrapper, utils } from 'ssh2';
import { PACKET, textField, uint32 } from '../../src/proxies/ssh/files/packets';
import { scoped } from '../support/scoped';
import { playServer } from '../support/ssh/played-server';
import { describeWithPrograms, issuedLogin } from '../support/ssh/programs';
import { RawSftp } from '../support/ssh/raw-sftp';
import { beginSshClients } from '../support/ssh/ssh-clients';

const HANDLE = Buffer.from('handle');
const OFFSET = Buffer.alloc(8);
const LOST = 'The server closed the session in the middle of a file transfer.\n';

/** Answers to the requests of `transfer`, in order, each by the server and for the same number. */
const ANSWERS: readonly [on: string, answer: (files: SFTPWrapper, id: number) => void][] = [
  ['REALPATH', (files, id) => files.name(id, [{ filename: '/', longname: '/' } as FileEntry])],
  ['OPEN', (files, id) => files.handle(id, HANDLE)],
  ['READ', (files, id) => files.data(id, Buffer.from('some'))],
  ['CLOSE', (files, id) => files.status(id, utils.sftp.STATUS_CODE.OK)],
];

/** Opens, reads and closes a file. @returns the number of answers */
async function transfer(sftp: RawSftp): Promise<number> {
  const opened = await sftp.ask(PACKET.OPEN, textField('/file'), uint32(1), uint32(0));
  if (opened === undefined) return 0;
  const read = await sftp.ask(PACKET.READ, textField(HANDLE), OFFSET, uint32(8));
  if (read === undefined) return 1;
  const closed = await sftp.ask(PACKET.CLOSE, textField(HANDLE));
  return closed === undefined ? 2 : 3;
}

// promises: SSHCLIENT-9
describeWithPrograms(
  'a file transfer whose server closes the channel and reports no exit code',
  ['ssh', 'sshd', 'ssh-keygen'],
  scoped((begin) => {
    const path = beginSshClients(begin);

    it.each([
      ['before it answers anything', { answers: 0, andEnds: false }, 255],
      ['in place of the first answer to the client', { answers: 1, andEnds: false }, 255],
      ['in place of a part of a file', { answers: 2, andEnds: false }, 255],
      ['while a file is open', { answers: 3, andEnds: true }, 255],
      ['in place of the end of a file', { answers: 3, andEnds: false }, 255],
      ['when all is closed', { answers: 4, andEnds: true }, 0],
    ])('%s is recorded as lost, unless it is complete', async (_, { answers, andEnds }, exitCode) => {
      const server = await playServer({
        sftp: (files) => {
          for (const [index, [name, answer]] of ANSWERS.entries())
            files.on(name, (id: number) => {
              if (index < answers) answer(files, id);
              if (index === answers - (andEnds ? 1 : 0)) files.end();
            });
        },
      });
      try {
        const connection = `files-${answers}-${andEnds}`;
        await path.ask(connection, server.secret());
        const client = await path.client(await issuedLogin(path.gateway, connection));
        const sftp = await RawSftp.open(client);
        expect(await transfer(sftp)).toBe(Math.max(0, answers - 1));
        const session = await path.lastSession();
        expect(session).toMatchObject({ exit_code: exitCode, labels: { channel: 'sftp' } });
        const errors = (await path.recording(session.id)).filter(([type]) => type === 'e');
        expect(errors).toEqual(exitCode === 0 ? [] : [['e', LOST]]);
        client.end();
      } finally {
        await server.close();
      }
    });
  }),
);
