import { Alert, List } from '@mantine/core';
import { texts } from '../texts';
import { Said } from './said';

/** Shows the gateway's warnings to the author of a resource. */
export function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <Alert color="yellow" role="status" title={texts.editing.warnings}>
      <List>
        {warnings.map((warning) => (
          <List.Item key={warning}>
            <Said text={warning} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
