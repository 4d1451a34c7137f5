import type { RuleKind } from '../contract/kind';
import { type FileCondition, compileFileCondition } from './file-condition';
import { forbiddenOperations } from './forbidden-operations';
import { fileFields } from './schema';

export const fileTransfer: RuleKind<'file_transfer', typeof fileFields, FileCondition, 'files'> = {
  type: 'file_transfer',
  summary: 'operations on files by SFTP, where the target is a server',
  directions: ['input'],
  fields: fileFields,
  example: { file_operations: ['write', 'delete'], file_paths: ['/etc/*'] },
  reads: 'files',
  compile(entry) {
    return { kind: 'statement', type: 'file_transfer', condition: compileFileCondition(entry) };
  },
  forbidden: forbiddenOperations,
};
