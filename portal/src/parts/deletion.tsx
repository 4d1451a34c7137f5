import { Alert, Stack, Text } from '@mantine/core';
import { type Deleted, useDeleting } from '../api/deleting';
import { texts } from '../texts';
import type { FieldLabels } from './field-labels';
import { SideBySide, differing } from './side-by-side';
import { SureButton } from './sure-button';

const t = texts.deletion;

interface Props<T> extends Deleted<T> {
  /** Name of the deleted object. */
  readonly of: string;
  /** Explains the further effects of the deletion. */
  readonly explained: string;
  readonly label?: string;
  /** Labels by field name. Not needed if the field names are labels already. */
  readonly labels?: FieldLabels;
}

/** Deletes one object after a confirmation, and only in the version that the user read. */
export function Deletion<T>({ of, explained, label = t.action, labels = {}, ...deleted }: Props<T>) {
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
            <SideBySide
              heads={[t.read, t.now]}
              rows={differing(shown(seen.data), shown(newer.data), { labels })}
            />
          </Stack>
        </Alert>
      )}
    </SureButton>
  );
}
