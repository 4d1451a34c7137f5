import { Alert, Stack, Text } from '@mantine/core';
import { type Deleted, useDeleting } from '../api/deleting';
import { texts } from '../texts';
import { SideBySide, differing } from './side-by-side';
import { SureButton } from './sure-button';

const t = texts.deletion;

interface Props<T> extends Deleted<T> {
  /** Its name. */
  readonly of: string;
  /** What else ends with it. */
  readonly explained: string;
  readonly label?: string;
}

/** Deletes one thing, asked twice, and only in the version that the person read. */
export function Deletion<T>({ of, explained, label = t.action, ...deleted }: Props<T>) {
  const { isPending, fault, newer, start, forget } = useDeleting(deleted);
  const { seen, shown } = deleted;
  return (
    <SureButton
      label={label}
      of={of}
      explained={explained}
      isPending={isPending}
      fault={fault}
      onSure={start}
      onLeft={forget}
    >
      {newer !== undefined && (
        <Alert color="orange" role="alert" title={t.changed}>
          <Stack>
            <Text>{t.explained}</Text>
            <SideBySide heads={[t.read, t.now]} rows={differing(shown(seen.data), shown(newer.data))} />
          </Stack>
        </Alert>
      )}
    </SureButton>
  );
}
