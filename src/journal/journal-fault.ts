const reasons: Readonly<Record<string, string>> = {
  EACCES: 'its folder may not be written to',
  EDQUOT: 'its quota is used up',
  EEXIST: 'its folder is a file',
  ENOSPC: 'its disk is full',
  ENOTDIR: 'its folder lies below a file',
  EPERM: 'its folder may not be written to',
  EROFS: 'its disk is read-only',
};

/** Why nothing can be kept in the journal, for everybody's eyes: without paths. */
export function journalFault(error: unknown): string {
  const { code } = error as { code?: unknown };
  const reason = typeof code === 'string' ? (reasons[code] ?? code) : 'an unexpected fault';
  return `the journal cannot be written: ${reason}`;
}
