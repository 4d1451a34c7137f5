import type { Client } from 'ssh2';
import { scoped } from '../support/scoped';
import { sshFigure } from '../support/ssh/figures';
import { describeWithPrograms } from '../support/ssh/programs';
import { RawSftp } from '../support/ssh/raw-sftp';
import { beginSshClients } from '../support/ssh/ssh-clients';
import { signedIn } from '../support/ssh/ssh-proxy';
import { someOf } from '../support/volume';
import { OPERATIONS, type Operation } from './paths/operations';
import { SPELLINGS, type Spelling } from './paths/spellings';
import { PathWorld } from './paths/world';

const MINUTES = 60_000;

/** A client of SFTP, which opens it again after a request that ended it. */
class Attacker {
  private client: Client | undefined;
  private sftp: RawSftp | undefined;

  constructor(private readonly signIn: () => Promise<Client>) {}

  async current(): Promise<RawSftp> {
    if (this.sftp?.isOver === false) return this.sftp;
    const open = async (): Promise<RawSftp> => RawSftp.open((this.client ??= await this.signIn()));
    // A request may have ended the connection, too.
    this.sftp = await open().catch(() => {
      this.client = undefined;
      return open();
    });
    return this.sftp;
  }

  close(): void {
    this.client?.end();
  }
}

/** Rules of a person who wants a folder left alone: its path as a word, or each operation on it. */
const rulesFor = (folder: string): Record<string, object> => {
  const path = folder.replaceAll('.', '\\.');
  const within = `${path}/secret(/[a-z.]+)*`;
  const patterns = [
    `^open ([a-z]+,)*(read|write)(,[a-z]+)* ${within}$`,
    `^(stat|lstat|setstat|remove|list|mkdir|rmdir|rename|link|symlink) ${within}( |$)`,
    `^(rename|link) .* ${within}$`,
  ];
  return {
    'a word': { type: 'deny_words_list', words: [`${folder}/secret`] },
    'a pattern': { type: 'pattern_match', pattern_regex: patterns.join('|') },
  };
};

// promises: SSHCLIENT-9
describeWithPrograms(
  'paths of SFTP',
  ['sshd', 'ssh-keygen'],
  scoped((begin) => {
    const world = begin(() => PathWorld.create());
    const path = beginSshClients(begin, {}, () => `internal-sftp -d ${world.folder}`);
    const direct = begin(
      () =>
        new Attacker(async () => {
          const { port, user, userKey } = path.server;
          const client = await signedIn(port, { username: user, privateKey: userKey });
          if (typeof client === 'string') throw new Error(client);
          return client;
        }),
    );

    /** Whether an operation reads or changes something in the guarded folder. */
    const hasEffect = async (
      attacker: Attacker,
      spelling: Spelling,
      operation: Operation,
    ): Promise<boolean> => {
      const { folder } = world;
      const before = await world.state();
      const read = await operation.run(
        await attacker.current(),
        spelling.write(folder, operation.rest),
        `${folder}/open`,
      );
      const isChanged = (await world.state()) !== before;
      if (isChanged || read !== '' || (await world.hasStrays())) await world.reset();
      return isChanged || read !== '';
    };

    it.each(['a word', 'a pattern'])(
      'reach nothing that %s forbids, however they are written',
      async (kind) => {
        const login = await path.under({ input: { rules: [rulesFor(world.folder)[kind] as object] } });
        const through = new Attacker(() => path.client(login));
        const counts = { attacks: 0, effective: 0, escaped: 0, links: 0 };
        const escaped: string[] = [];
        const all = OPERATIONS.flatMap((operation) => SPELLINGS.map((spelling) => ({ operation, spelling })));
        for (const { operation, spelling } of someOf(all, 17)) {
          counts.attacks += 1;
          if (await hasEffect(direct, spelling, operation)) counts.effective += 1;
          if (!(await hasEffect(through, spelling, operation))) continue;
          if (spelling.isLink === true) counts.links += 1;
          else escaped.push(`${operation.name}, ${spelling.name}`);
        }
        through.close();
        counts.escaped = escaped.length;
        sshFigure('paths', counts);
        expect(escaped).toEqual([]);
        expect(counts.effective).toBeGreaterThan(counts.attacks / 5);
      },
      20 * MINUTES,
    );
  }),
);
