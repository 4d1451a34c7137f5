const reasons: Readonly<Record<string, string>> = {
  EACCES: 'its folder is not writable',
  EDQUOT: 'its quota is used up',
  EEXIST: 'its folder is a file',
  ENOSPC: 'its disk is full',
  ENOTDIR: 'its folder lies below a file',
  EPERM: 'its folder is not writable',
  EROFS: 'its disk is read-only',
};

/** Returns the reason why the journal cannot be written. It contains no paths, so any user may see it. */
export function journalFault(error: unknown): string {
  const { code } = error as { code?: unknown };
  const reason = typeof code === 'string' ? (reasons[code] ?? code) : 'an unexpected error';
  return `the journal cannot be written: ${reason}`;
}
