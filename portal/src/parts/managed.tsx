import { Text } from '@mantine/core';
import { texts } from '../texts';
import { Said } from './said';

/** Shows that an external system manages this resource, if one does: then it cannot be changed here. */
export function Managed({ by }: { readonly by: string | null }) {
  if (by === null) return null;
  return (
    <Text>
      <Said text={texts.editing.managedBy(by)} />
    </Text>
  );
}
