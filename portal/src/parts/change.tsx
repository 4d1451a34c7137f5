import { Alert } from '@mantine/core';
import { FaultText } from './fault-text';

/** Shows why the last change was refused. Shows nothing without a fault. */
export function ChangeFault({ fault }: { readonly fault: unknown }) {
  if (fault === null || fault === undefined) return null;
  return (
    <Alert color="red" role="alert">
      <FaultText fault={fault} />
    </Alert>
  );
}
