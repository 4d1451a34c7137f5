import { ANY } from '../reading/word';
import { optionDoubts } from './archive-arguments';
import { type Argument, isKnown } from './arguments';
import type { CodeArguments } from './code-reader';

const OPTION = 'has an option that runs another program';
const ALIAS = 'runs an alias, or a command of git that is not known';
const SETTING = 'changes a setting of git that is not known to run nothing';

/** Options before the command whose value is the next argument. */
const GLOBAL_VALUED = /^(?:-C|--git-dir|--work-tree|--namespace)$/;
const GLOBAL_FLAGS =
  /^(?:-C.+|--(?:git-dir|work-tree|namespace)=.*|--(?:no-pager|no-replace-objects|bare|no-optional-locks|\w+-pathspecs|version|help|html-path|man-path|info-path|exec-path)|-[vhP])$/s;

/** Commands of git that run nothing by their arguments, except with the options in `RUNNING_OPTIONS`. */
const COMMANDS: ReadonlySet<string> = new Set(
  (
    'add am annotate apply archive blame branch bundle cat-file check-attr check-ignore check-ref-format checkout ' +
    'checkout-index cherry cherry-pick clean clone commit commit-graph commit-tree config count-objects describe ' +
    'diff diff-files diff-index diff-tree fast-export fast-import fetch format-patch fsck gc get-tar-commit-id grep ' +
    'hash-object index-pack init lfs log ls-files ls-remote ls-tree maintenance merge merge-base mv name-rev notes ' +
    'pack-objects pack-refs prune pull push range-diff read-tree rebase reflog remote repack replace rerere reset ' +
    'restore rev-list rev-parse revert rm shortlog show show-branch show-ref sparse-checkout stash status submodule ' +
    'switch symbolic-ref tag unpack-objects update-index update-ref update-server-info verify-commit verify-pack ' +
    'verify-tag version whatchanged worktree write-tree'
  ).split(' '),
);

/** Options, per command, with which it runs a program. Long ones may be shortened. */
const RUNNING_OPTIONS: Readonly<
  Record<string, { readonly short?: RegExp; readonly long: readonly string[] }>
> = {
  grep: { short: /^-[^-]*O/, long: ['--open-files-in-pager'] },
  rebase: { short: /^-[^-]*[xi]/, long: ['--exec', '--interactive', '--edit-todo'] },
  clone: { short: /^-[^-]*[uc]/, long: ['--upload-pack', '--config', '--template'] },
  init: { long: ['--template'] },
  fetch: { long: ['--upload-pack'] },
  pull: { long: ['--upload-pack', '--rebase=interactive', '--rebase=i'] },
  'ls-remote': { long: ['--upload-pack', '--exec'] },
  push: { long: ['--receive-pack', '--exec'] },
  archive: { long: ['--exec', '--remote'] },
  diff: { long: ['--ext-diff'] },
  log: { long: ['--ext-diff'] },
  show: { long: ['--ext-diff'] },
  branch: { long: ['--edit-description'] },
  config: { long: ['--edit'] },
  replace: { long: ['--edit'] },
};

/** Settings whose value is no program, and no file with settings. */
const SAFE_SETTINGS =
  /^(?:(?:user|author|committer|color|push|advice|branch|safe|rebase|rerere|fetch|status|log|column|index|pack|transfer|feature|http|commit|gc|stash|worktree|checkout|clone|am|apply)\..+|init\.defaultbranch|pull\.(?:ff|rebase|twohead)|merge\.(?:ff|conflictstyle|stat|log|renames|autostash)|remote\..+\.(?:url|pushurl|fetch|push|prune|tagopt|mirror)|core\.(?:autocrlf|eol|safecrlf|filemode|ignorecase|quotepath|bare|abbrev|longpaths|symlinks|compression|sharedrepository|excludesfile|commentchar|precomposeunicode)|diff\.(?:renames|algorithm|colormoved|noprefix|mnemonicprefix|submodule|renamelimit)|format\.(?:pretty|signoff)|tag\.(?:sort|gpgsign))$/is;
/** Matches settings of these kinds that name programs all the same. */
const NAMES_PROGRAM = /(?:command|program|cmd|helper|hook)\w*$/i;
const STORED_PASSWORDS = /^(?:store|cache)(?: --[\w=./-]+)*$/;
const READS_SETTINGS = /^(?:-l|--list|--get(?:-\w+)*|--unset(?:-all)?|--remove-section|--rename-section)$/;

/** Reads the arguments of git. */
export function gitArguments(args: readonly Argument[]): CodeArguments {
  let at = 0;
  for (; at < args.length && args[at]!.text.startsWith('-'); at += 1) {
    const { text, splits } = args[at]!;
    if (splits || !(GLOBAL_VALUED.test(text) || GLOBAL_FLAGS.test(text))) return { hides: OPTION };
    if (GLOBAL_VALUED.test(text)) at += 1;
    if (args[at]?.splits === true) return { hides: OPTION };
  }
  const command = args[at];
  if (command === undefined) return {};
  const name = command.text;
  if (!isKnown(command) || !COMMANDS.has(name)) return { hides: ALIAS };
  const rest = args.slice(at + 1);
  const running = Object.hasOwn(RUNNING_OPTIONS, name) ? RUNNING_OPTIONS[name] : undefined;
  const runs = rest.some(
    ({ text }) =>
      // A name such as `ext::` names the program that transfers.
      /^[\w+-]+::/.test(text) ||
      running?.short?.test(text) === true ||
      running?.long.some((long) => mayMean(text, long)) === true,
  );
  if (runs || (name === 'submodule' && rest.some(({ text }) => text === 'foreach' || text.includes(ANY))))
    return { hides: OPTION };
  const doubts = running === undefined ? [] : optionDoubts(rest);
  return name === 'config' ? { hides: settingHides(rest), doubts } : { doubts };
}

/** Whether an option means a long option, of which it may be the beginning. */
function mayMean(text: string, long: string): boolean {
  if (!text.startsWith('--') || text === '--') return false;
  const [option = ''] = text.split('=', 1);
  if (option.includes(ANY)) return true;
  return long.includes('=') ? text !== option && long.startsWith(text) : long.startsWith(option);
}

/** Returns why setting what `git config` sets may make git run a program; undefined if it does not. */
function settingHides(args: readonly Argument[]): string | undefined {
  if (args.some(({ text }) => /^-e$|^edit$/.test(text))) return OPTION;
  if (args.some(({ text }) => READS_SETTINGS.test(text))) return undefined;
  const at = args.findIndex(({ text }) => /^(?!-)[^/\s]*\./.test(text) || text.startsWith(ANY));
  const [key, value] = args.slice(Math.max(at, 0));
  if (at === -1 || key === undefined || value === undefined) return undefined;
  if (/^credential\.(?:.+\.)?helper$/i.test(key.text))
    return isKnown(value) && STORED_PASSWORDS.test(value.text) ? undefined : SETTING;
  const isSafe = isKnown(key) && SAFE_SETTINGS.test(key.text) && !NAMES_PROGRAM.test(key.text);
  return isSafe && !value.text.startsWith('!') ? undefined : SETTING;
}
