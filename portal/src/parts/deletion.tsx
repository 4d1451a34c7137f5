import { Alert, Stack, Text } from '@mantine/core';
import { type Deleted, useDeleting } from '../api/deleting';
import { texts } from '../texts';
import type { FieldLabels } from './field-labels';
import { SideBySide, differing } from './side-by-side';
import { SureButton } from './sure-button';

const t = texts.deletion;

interface Props<T> extends Deleted<T> {
  /** Its name. */
  readonly of: string;
  /** Other things that the deletion ends. */
  readonly explained: string;
  readonly label?: string;
  /** Default: fields are given by their labels. */
  readonly labels?: FieldLabels;
}

/** Deletes one thing, asked twice, and only in the version that the person read. */
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
