import type { Entry } from './guardrail';

type StatementKind = NonNullable<Entry['kinds']>[number];
type Detector = NonNullable<Entry['detectors']>[number];
type FileOperation = NonNullable<Entry['file_operations']>[number];

/** Statement kinds. The `Record` type makes the compiler report an API kind that is missing here. */
const STATEMENTS: Readonly<Record<StatementKind, true>> = {
  select: true,
  insert: true,
  update: true,
  delete: true,
  merge: true,
  truncate: true,
  copy: true,
  copy_program: true,
  copy_file: true,
  create: true,
  alter: true,
  drop: true,
  import_foreign_schema: true,
  comment: true,
  security_label: true,
  refresh: true,
  grant: true,
  revoke: true,
  set: true,
  reset: true,
  show: true,
  discard: true,
  load: true,
  do: true,
  call: true,
  prepare: true,
  execute: true,
  deallocate: true,
  explain: true,
  declare_cursor: true,
  fetch: true,
  close: true,
  lock: true,
  vacuum: true,
  analyze: true,
  cluster: true,
  reindex: true,
  checkpoint: true,
  listen: true,
  notify: true,
  unlisten: true,
  begin: true,
  commit: true,
  rollback: true,
  savepoint: true,
  release: true,
  prepare_transaction: true,
  other: true,
  other_sessions: true,
  set_role: true,
};
const ON_FILES: Readonly<Record<FileOperation, true>> = {
  read: true,
  write: true,
  delete: true,
  rename: true,
  link: true,
  list: true,
  inspect: true,
};
const FOUND: Readonly<Record<Detector, true>> = {
  email: true,
  payment_card: true,
  us_ssn: true,
  iban: true,
  phone: true,
  aws_key: true,
  jwt: true,
  private_key: true,
};

export const STATEMENT_KINDS = Object.keys(STATEMENTS) as readonly StatementKind[];
export const DETECTORS = Object.keys(FOUND) as readonly Detector[];
export const FILE_OPERATIONS = Object.keys(ON_FILES) as readonly FileOperation[];
