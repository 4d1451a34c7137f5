import type { Finding } from '../../../gate/ports/guardrails';
import type { CommandFact, ParsedShell, ShellFacts } from '../../../languages/shell/facts/facts';
import {
  type Certainty,
  namedPrograms,
  redirectsTo,
  runsProgram,
  shownWord,
  takesArgument,
} from '../../../languages/shell/facts/matching';
import type { CommandCondition } from './command-condition';

/**
 * Returns the parts of a script that the condition forbids, in the order of the script; none when it is
 * allowed.
 */
export function forbiddenCommands(
  condition: CommandCondition,
  length: number,
  parsed: ParsedShell,
): Finding[] {
  if (parsed.kind === 'unparseable') {
    return condition.refusesHidden ? [{ start: 0, end: length, text: `unparseable: ${parsed.reason}` }] : [];
  }
  const hidden = condition.refusesHidden ? parsed.hidden : [];
  const found: Finding[] = [
    ...parsed.commands.flatMap((command) => forbiddenCommand(condition, command, parsed)),
    ...forbiddenWrites(condition, parsed),
    ...hidden.map(({ start, end, reason }) => ({ start, end, text: `hidden command: ${reason}` })),
  ];
  return found.sort((a, b) => a.start - b.start);
}

function forbiddenCommand(
  { programs, programArguments, refusesHidden }: CommandCondition,
  command: CommandFact,
  facts: ShellFacts,
): Finding[] {
  const { start, end, program, args } = command;
  const { called, mentioned } = namedPrograms(command);
  if (programs.some((wanted) => mentioned.some((each) => runsProgram(each, wanted))))
    return [{ start, end, text: `names a program of the rule: ${shownWord(program)}` }];
  if (!programs.some((wanted) => runsProgram(called, wanted))) return [];
  const certainties = programArguments.map((wanted) => takesArgument(args, wanted, facts));
  if (certainties.includes('no')) return [];
  if (!certainties.includes('maybe')) return [{ start, end, text: `program ${shownWord(program)}` }];
  return refusesHidden
    ? [{ start, end, text: `hidden command: arguments of ${shownWord(program)} are not in the text` }]
    : [];
}

function forbiddenWrites(condition: CommandCondition, facts: ShellFacts): Finding[] {
  return facts.writes.flatMap(({ start, end, path }) => {
    const certainties: Certainty[] = condition.redirectsTo.map((wanted) => redirectsTo(path, wanted, facts));
    if (certainties.includes('yes')) return [{ start, end, text: `redirect to ${shownWord(path)}` }];
    return certainties.includes('maybe') && condition.refusesHidden
      ? [{ start, end, text: 'hidden command: the file of a redirection is not in the text' }]
      : [];
  });
}
