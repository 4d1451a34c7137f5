import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../support/free-port';
import { storedEvents } from '../support/ledger/evidence';
import { killGateways, settled } from '../support/ledger/faults';
import { type LedgerWorld, startLedgerWorld } from '../support/ledger/ledger-world';
import { Random } from '../support/ledger/random';
import { scoped } from '../support/scoped';
import { SEED } from '../support/seed';
import { sshFigure } from '../support/ssh/figures';
import { startOpenSshServer } from '../support/ssh/open-ssh-server';
import { describeWithPrograms } from '../support/ssh/programs';
import { type SshEvidence, SshLedger } from '../support/ssh/ssh-ledger';
import { SshLedgerClients } from '../support/ssh/ssh-ledger-clients';
import { volume } from '../support/volume';

/** Number of kills, which `npm run test:ssh` sets to a higher number (scripts/test-ssh.mjs), and the seed. */
const { SSH_KILLS, SSH_SEED = String(SEED) } = process.env;
const KILLS = Number(SSH_KILLS ?? volume(2, 10));

jest.setTimeout(720_000 + KILLS * 120_000);

// promises: SSHCLIENT-3, SSHCLIENT-6, SSHCLIENT-9
describeWithPrograms(
  `recordings of SSH sessions whose gateways are killed, from seed ${SSH_SEED}`,
  ['sshd', 'ssh-keygen'],
  scoped((begin) => {
    const server = begin(() => startOpenSshServer(['Subsystem sftp internal-sftp']));
    let world: LedgerWorld;
    let port: number;

    beforeAll(async () => {
      port = await freePort();
      world = await startLedgerWorld({
        SSH_PROXY_PORT: String(port),
        SSH_PROXY_CLIENTS_PER_USER: '1000',
        SSH_PROXY_CLIENTS_PER_CONNECTION: '1000',
      });
      const connection = { name: 'server', type: 'application', subtype: 'ssh', secret: server.secret() };
      const created = await world.gateway().post('/connections', await world.token(), connection);
      expect(created.status).toBe(201);
    });
    afterAll(() => world.close());

    const sessions = (): Promise<SshEvidence[]> =>
      world.database.connected(async (client) => {
        const { rows } = await client.query<Omit<SshEvidence, 'events' | 'faults'>>(
          `SELECT id, status, end_date AS "endDate", events_received::int AS received
           FROM sessions WHERE connection_name = 'server' ORDER BY start_date`,
        );
        const found: SshEvidence[] = [];
        for (const row of rows) found.push({ ...row, ...(await storedEvents(client, row.id)) });
        return found;
      });

    it('lack nothing that clients were answered and that ran, and have nothing twice', async () => {
      const ledger = new SshLedger();
      const random = new Random(SSH_SEED).of('ssh');
      const [marks, folder] = [join(server.folder, 'marks'), join(server.folder, 'made')];
      await mkdir(folder);
      await writeFile(marks, '');
      const clients = new SshLedgerClients({ world, port, ledger, random, marks, folder });
      try {
        await killGateways(world, ledger, KILLS, random.of('faults'));
      } finally {
        await clients.stop();
      }
      await settled(world);
      const all = await sessions();
      for (const session of all) ledger.inspect(session);
      const effects = [
        ...(await readFile(marks, 'utf8')).split('\n').slice(0, -1),
        ...(await readdir(folder)),
      ];
      const { findings, ...faults } = ledger.verdict(effects);
      const { sent, acknowledged } = ledger;
      const events = all.reduce((sum, session) => sum + session.events.length, 0);
      sshFigure('kills', { kills: KILLS, sessions: all.length, events, sent, acknowledged, ...faults });
      expect(findings.slice(0, 20)).toEqual([]);
      expect(all.length).toBeGreaterThan(0);
      expect(effects.length).toBeGreaterThanOrEqual(acknowledged);
    });
  }),
);
