import { Argument, Command, Option } from 'commander';
import { completionFor } from './commands/completion.js';
import { type ExecOptions, exec } from './commands/exec.js';
import {
  type RequestOptions,
  type WhyOptions,
  connections,
  decide,
  kinds,
  requests,
  signOff,
  why,
} from './commands/lists.js';
import { addCommonOptions } from './common-options.js';
import { addClients } from './program-clients.js';
import { addKeys } from './program-keys.js';
import { addRules } from './program-rules.js';
import { addSessions } from './program-sessions.js';
import { type LoginOptions, login, logout, version, whoami } from './commands/signing-in.js';
import { Context } from './context.js';
import type { ContextOf, End } from './parsing.js';

/** The commands, their arguments and options. */
export function programOf(signal: AbortSignal, end: End): Command {
  const program = new Command('gateway')
    .description('The command line of the access gateway.')
    .version('gateway 0.1.0, API 1.180.0')
    .exitOverride()
    .enablePositionalOptions();
  const context = (command: Command): Promise<Context> => Context.of(command, signal);
  addSignIn(program, context);
  addAccess(program, context, end);
  addReviews(program, context);
  addKeys(program, context);
  addRules(program, context, end);
  addSessions(program, context, end);
  program
    .command('completion')
    .description('print a script that completes commands and options')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action((shell: string) => void process.stdout.write(completionFor(shell, program)));
  addCommonOptions(program);
  return program;
}

function addSignIn(program: Command, context: ContextOf): void {
  program
    .command('login')
    .description('sign in with the browser, or with a code at another computer')
    .option('--device', 'show a code, which is typed in a browser elsewhere')
    .option('--no-browser', 'print the address only')
    .action(async (options: LoginOptions, command: Command) => login(await context(command), options));
  program
    .command('logout')
    .description('end the sign-in')
    .action(async (_: object, command: Command) => logout(await context(command)));
  program
    .command('whoami')
    .description('show who is signed in')
    .action(async (_: object, command: Command) => whoami(await context(command)));
  program
    .command('version')
    .description('show the versions of the gateway: of its program, its API and its schema')
    .action(async (_: object, command: Command) => version(await context(command)));
}

function addAccess(program: Command, context: ContextOf, end: End): void {
  program
    .command('connections')
    .description('list the connections that you may open')
    .argument('[search]')
    .action(async (search: string | undefined, _: object, command: Command) =>
      connections(await context(command), search),
    );
  program
    .command('kinds')
    .description('list the kinds of connections, what their secrets need, and the addresses for clients')
    .action(async (_: object, command: Command) => kinds(await context(command)));
  program
    .command('exec')
    .description('run a script, after its approval if one is needed; ends with the exit code of the script')
    .argument('<connection>')
    .option('-c, --command <sql>', 'the script')
    .option('-f, --file <file>', 'a file with the script (- for standard input)')
    .option('--reason <text>', 'why, for reviewers and the recording')
    .option('--no-wait', 'do not wait for an approval')
    .option('--emergency <text>', 'do not wait for an approval: what the emergency is')
    .action(async (connection: string, options: ExecOptions, command: Command) =>
      end(await exec(await context(command), connection, options)),
    );
  addClients(program, context, end);
  const policy = program.command('policy').description('ask about rules');
  policy
    .command('why')
    .description('show whether a connection is open to a person, and why')
    .argument('<connection>')
    .option('--user <person>', 'id or e-mail; for auditors and admins')
    .addOption(new Option('--verb <verb>').choices(['connect', 'exec']))
    .action(async (connection: string, options: WhyOptions, command: Command) =>
      why(await context(command), connection, options),
    );
}

function addReviews(program: Command, context: ContextOf): void {
  program
    .command('requests')
    .description('list requests that wait for approval, or to be signed off')
    .addOption(new Option('--mine <which>').choices(['to_decide', 'to_sign_off', 'requested']))
    .option('--all', 'those that are decided, too')
    .action(async (options: RequestOptions, command: Command) => requests(await context(command), options));
  program
    .command('approve')
    .description('approve a request')
    .argument('<id>')
    .option('--force', 'satisfy each rule that lets one of your groups force it')
    .option('--reason <text>', 'why it is forced')
    .action(async (id: string, { force, reason }: { force?: boolean; reason?: string }, command: Command) =>
      decide(await context(command), id, {
        status: 'APPROVED',
        ...(force === true ? { force_review: true } : {}),
        ...(reason === undefined ? {} : { force_reason: reason }),
      }),
    );
  program
    .command('reject')
    .description('reject a request')
    .argument('<id>')
    .option('--reason <text>', 'why')
    .action(async (id: string, { reason }: { reason?: string }, command: Command) =>
      decide(await context(command), id, {
        status: 'REJECTED',
        ...(reason === undefined ? {} : { rejection_reason: reason }),
      }),
    );
  program
    .command('sign-off')
    .description('sign off what was opened without its reviewers, after a second look')
    .argument('<id>')
    .requiredOption('--comment <text>', 'what you found')
    .action(async (id: string, { comment }: { comment: string }, command: Command) =>
      signOff(await context(command), id, comment),
    );
}
