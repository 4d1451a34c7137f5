import { isDeepStrictEqual } from 'node:util';
import { type TestGateway, startGateway, freePort } from '../../support/gateway';
import { describeScoped } from '../../support/describe';
import { createRule } from '../../support/guardrails';
import { entries } from '../../support/guarded-path';
import { reportLine } from '../../support/report';
import { answerAtEnd, listenAt } from '../../support/ssh/forwarded';
import { issuedLogin } from '../../support/ssh/programs';
import { DIFFERENCES } from './differences';
import { PROGRAMS, SshProgramFolders } from './programs';
import type { Outcome } from './running';
import { SERVERS } from './servers';
import { type ProgramTarget, type SshWay, wayOf } from './ways';

/** Time limit of a test. It includes the time to download the program from its registry. */
const PATIENCE_MS = 1_800_000;

/** Forwards that the connections allow; nothing else differs from the default of a connection. */
const FORWARDS = { FORWARD_TO: '127.0.0.1:*', FORWARD_FROM: '127.0.0.1:*, 127.0.0.1:0' };

/** `npm run test:ssh`: programs of others, directly and through the gateway, with rules on. */
// promises: SSHCLIENT-2, SSHCLIENT-3, SSHCLIENT-8, SSHCLIENT-9
describeScoped('SSH programs of others', (begin) => {
  const folders = begin(() => new SshProgramFolders());
  const gateway = begin(async () => {
    const port = String(await freePort());
    return startGateway({
      environment: {
        SSH_PROXY_PORT: port,
        SSH_PROXY_CLIENTS_PER_USER: '1000',
        SSH_PROXY_CLIENTS_PER_CONNECTION: '1000',
      },
    });
  });
  const echo = begin(() => listenAt(0, answerAtEnd));
  const targets: ProgramTarget[] = [];

  beforeAll(async () => {
    for (const server of SERVERS) {
      const absent = await server.absent();
      if (absent === undefined) targets.push(await server.start(() => folders.withPackages()));
      else notTried(`the server ${server.name}`, absent);
    }
    for (const target of targets) await connect(gateway, target);
  }, PATIENCE_MS);
  afterAll(async () => {
    for (const target of targets) await target.close();
  });

  it.each(PROGRAMS.map((program) => [program.name, program] as const))(
    '%s sees the same through the gateway, but for the differences that are listed',
    async (name, program) => {
      const absent = await program.absent();
      if (absent !== undefined) return notTried(name, absent);
      const use = await program.install(folders);
      const { body } = await gateway.call('admin', 'GET', '/ssh-host-keys');
      const hostKey = (body.keys[0].known_hosts as string).split(' ').slice(1).join(' ');
      const tried = targets.filter((target) => program.without?.[target.name] === undefined);
      const found: Seen[] = [];
      let versions: object = {};
      for (const target of tried) {
        const login = await issuedLogin(gateway, target.name.toLowerCase());
        const direct = await used(use, `${target.name}, directly`, wayOf(target, echo.port));
        const way = wayOf(target, echo.port, { ...login, hostKey });
        const through = await used(use, `${target.name}, through the gateway`, way);
        versions = through.versions;
        for (const check of Object.keys({ ...direct.seen, ...through.seen }))
          found.push({
            server: target.name,
            check,
            directly: direct.seen[check],
            through: through.seen[check],
          });
      }
      const differing = found.filter(({ directly, through }) => !isDeepStrictEqual(directly, through));
      const known = DIFFERENCES.filter(({ program: one }) => one === name).flatMap(({ check, servers }) =>
        servers.filter((server) => tried.some((one) => one.name === server)).map((server) => [server, check]),
      );
      const unexpected = differing.filter(
        ({ server, check }) => !known.some((one) => isDeepStrictEqual(one, [server, check])),
      );
      reportLine('SSH_REPORT', { program: name, versions });
      reportLine('SSH_REPORT', {
        figure: 'programs',
        tried: tried.length,
        checks: found.length,
        differing: unexpected.length,
        known_differences: differing.length - unexpected.length,
      });
      expect(unexpected).toEqual([]);
      expect(differing.map(({ server, check }) => [server, check])).toEqual(known);
      // Two empty results would also be equal.
      expect(found.length).toBeGreaterThanOrEqual(tried.length);
      expect(tried.length).toBeGreaterThan(0);
    },
    PATIENCE_MS,
  );
});

/** One check of a program, by both ways. */
interface Seen {
  readonly server: string;
  readonly check: string;
  readonly directly: unknown;
  readonly through: unknown;
}

function notTried(name: string, absent: string): void {
  process.stderr.write(`\n  not tried, for want of ${absent}: ${name}\n`);
  reportLine('SSH_REPORT', { program: name, absent });
}

/** Uses a program by one way. @throws its fault, with the name of the way */
async function used(use: (way: SshWay) => Promise<Outcome>, name: string, way: SshWay): Promise<Outcome> {
  return use(way).catch((fault: Error) => {
    throw new Error(`${name}: ${fault.message}`, { cause: fault });
  });
}

/** Makes a connection to a server, with rules that nothing here matches: so all is judged and screened. */
async function connect(gateway: TestGateway, target: ProgramTarget): Promise<void> {
  const { name } = target;
  const { status, body } = await gateway.call('admin', 'POST', '/connections', {
    name: name.toLowerCase(),
    type: 'application',
    subtype: 'ssh',
    secret: { ...target.secret(), ...FORWARDS },
  });
  expect(status).toBe(201);
  const words = { type: 'deny_words_list', words: ['a word that is nowhere'] };
  const programs = { type: 'shell_command', programs: ['mkfs'], hidden_commands: 'allow' };
  await createRule(gateway, {
    name,
    connection_ids: [body.id],
    input: entries(words, programs),
    output: entries(words),
  });
}
