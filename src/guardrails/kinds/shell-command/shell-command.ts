import type { RuleKind } from '../contract/kind';
import { type CommandCondition, compileCommandCondition } from './command-condition';
import { forbiddenCommands } from './forbidden-commands';
import { commandFields } from './schema';

export const shellCommand: RuleKind<'shell_command', typeof commandFields, CommandCondition, 'shell'> = {
  type: 'shell_command',
  summary: 'what the commands of a shell script run, where the target is a server',
  directions: ['input'],
  fields: commandFields,
  example: { programs: ['mkfs*', 'shutdown'], redirects_to: ['/etc/*'] },
  reads: 'shell',
  compile(entry) {
    return { kind: 'statement', type: 'shell_command', condition: compileCommandCondition(entry) };
  },
  forbidden: forbiddenCommands,
};
