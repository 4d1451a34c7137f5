import type { Argument } from './arguments';
import type { CodeArguments, CodeReader } from './code-reader';
import { ARCHIVE_READERS } from './archive-arguments';
import { COMMAND_READERS } from './command-arguments';
import { gitArguments } from './git-arguments';
import { TEXT_READERS } from './text-arguments';
import { NAME_READERS } from './variable-names';

const READERS: Readonly<Record<string, CodeReader>> = {
  ...COMMAND_READERS,
  ...TEXT_READERS,
  ...ARCHIVE_READERS,
  ...NAME_READERS,
  git: gitArguments,
};

/** Returns what a program runs that stands in its arguments. */
export function codeArguments(name: string, args: readonly Argument[]): CodeArguments {
  const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  return reader?.(args) ?? {};
}
