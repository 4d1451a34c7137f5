/** Texts that many screens share: a part of `texts`. */
export const partTexts = {
  conflict: {
    title: 'Somebody else changed this meanwhile',
    explained: 'These fields differ. Fields that are not listed stay as the others left them.',
    mine: 'Mine',
    theirs: 'Theirs',
    keep: 'Keep mine',
    take: 'Take theirs',
  },
  deletion: {
    action: 'Delete',
    changed: 'Somebody else changed it since you read it',
    explained: 'It was not deleted. This is what changed; delete it all the same, or cancel.',
    read: 'As you read it',
    now: 'As it is now',
  },
  ownerChoice: { user: 'User (id)', userExplained: 'Empty: your own.', show: 'Show' },
  changes: { field: 'Field', before: 'Before', after: 'After' },
  pager: {
    where: (page: number, last: number, total: number) =>
      `${total.toLocaleString()} ${total === 1 ? 'item' : 'items'}${last > 1 ? `, page ${page} of ${last}` : ''}`,
    previous: 'Previous page',
    next: 'Next page',
  },
  editing: {
    save: 'Save',
    undo: 'Undo my changes',
    saved: 'Saved.',
    warnings: 'You should know',
    leave: 'What you typed is not saved. Leave this page?',
    broken: 'One of them has a line break in it: this list can only be changed with the API.',
    managedBy: (manager: string) => `Managed by ${manager}: it cannot be changed here.`,
    none: '—',
    inUtc: (label: string) => `${label} (UTC)`,
    tooLong: (length: number, most: number) =>
      `This has ${length.toLocaleString()} characters, and the gateway takes ${most.toLocaleString()}: remove ${(length - most).toLocaleString()}.`,
  },
} as const;
