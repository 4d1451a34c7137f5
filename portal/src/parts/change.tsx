import { Alert } from '@mantine/core';
import { FaultText } from './fault-text';

/** Why the last change was refused; nothing while there is no fault. */
export function ChangeFault({ fault }: { readonly fault: unknown }) {
  if (fault === null || fault === undefined) return null;
  return (
    <Alert color="red" role="alert">
      <FaultText fault={fault} />
    </Alert>
  );
}
