import { type Command, InvalidArgumentError } from 'commander';
import {
  type ApplyOptions,
  type DiffOptions,
  type ExportOptions,
  apply,
  diff,
  exported,
} from './commands/rules.js';
import type { ContextOf, End } from './parsing.js';
import { SECTIONS, type Section } from './rules/policy-file.js';

/** `gateway rules …` */
export function addRules(program: Command, context: ContextOf, end: End): void {
  const rules = program.command('rules').description('keep guardrails and access rules in files');
  rules
    .command('export')
    .description('print what the gateway has, as YAML (with --output json: as JSON)')
    .option('--only <sections>', `some of ${SECTIONS.join(',')}`, sections)
    .action(async (options: ExportOptions, command: Command) => exported(await context(command), options));
  rules
    .command('diff')
    .description('show what files would change; ends with 1 when something differs')
    .argument('<files...>', 'YAML or JSON (- for standard input)')
    .option('--prune', 'what is in no file is deleted, of the sections that the files have')
    .action(async (files: string[], options: DiffOptions, command: Command) =>
      end(await diff(await context(command), files, options)),
    );
  rules
    .command('apply')
    .description('show what files change, and carry it out when you say so')
    .argument('<files...>', 'YAML or JSON (- for standard input)')
    .option('--prune', 'delete what is in no file, of the sections that the files have')
    .option('--yes', 'carry it out without being asked; else, and without a terminal, nothing is changed')
    .action(async (files: string[], options: ApplyOptions, command: Command) =>
      end(await apply(await context(command), files, options)),
    );
}

function sections(text: string): Section[] {
  return text.split(',').map((name) => {
    const found = SECTIONS.find((section) => section === name.trim());
    if (found === undefined) throw new InvalidArgumentError(`They are ${SECTIONS.join(', ')}.`);
    return found;
  });
}
