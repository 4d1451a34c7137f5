/** Texts about forced approvals and emergencies. */
export const secondLookTexts = {
  toSignOff: 'To sign off',
  nothingToSignOff: 'Nothing waits for a second look.',
  force: 'Force the approval',
  forceExplained:
    'This approves at once in place of all groups that are still asked. It is recorded that it was forced.',
  forceSure: 'I approve in place of the others.',
  forceReason: 'Reason for skipping the other approvers',
  forcedWhy: 'Forced because:',
  forced: '(forced)',
  forcedMark: 'forced',
  emergency: 'emergency',
  emergencyWhy: 'Emergency:',
  emergencyOpen: 'Open it in an emergency',
  emergencyExplained:
    'This opens it at once for a short time, without its reviewers. The reviewers are notified, everything is recorded, and another person looks at it afterwards.',
  emergencySure: 'It cannot wait for the reviewers.',
  emergencyReason: 'Description of the emergency',
  unsigned: 'Waits for a second look',
  unsignedExplained:
    'It was opened without its reviewers, so that another person looks at it and signs it off.',
  signedOff: 'Signed off',
  signOff: 'Sign off',
  signOffComment: 'Findings of the second look',
  signOffLater:
    'It can still be used. It is signed off when it was used or has ended; to end it now, revoke it.',
} as const;
