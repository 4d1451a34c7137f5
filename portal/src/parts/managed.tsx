import { Text } from '@mantine/core';
import { texts } from '../texts';
import { Said } from './said';

/** Shows the external system that manages the resource, if any. Such a resource cannot be changed here. */
export function Managed({ by }: { readonly by: string | null }) {
  if (by === null) return null;
  return (
    <Text>
      <Said text={texts.editing.managedBy(by)} />
    </Text>
  );
}
