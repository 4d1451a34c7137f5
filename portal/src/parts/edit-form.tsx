import { Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Saving } from '../api/tagged';
import { texts } from '../texts';
import { ChangeFault } from './change';
import { ConflictChoice } from './conflict-choice';
import type { Shown } from './side-by-side';
import { useUnsaved } from './unsaved';

interface Props<T, Body> extends Shown {
  /** The purpose of the form, when the page has several. */
  readonly label?: string;
  readonly saving: Saving<T, Body>;
  readonly isChanged: boolean;
  /** Whether the user typed a secret. A reload would lose it. */
  readonly hasSecret?: boolean;
  /** False for a read-only form. */
  readonly mayChange?: boolean;
  /** Fields to show in a conflict: `mine` for the sent version, `theirs` for the other user's version. */
  readonly mine: (body: Body) => object;
  readonly theirs: (data: T) => object;
  readonly onSave: () => void;
  readonly onUndo: () => void;
  /** The fields. */
  readonly children: ReactNode;
}

/**
 * The frame of a form that changes a resource. It asks before typed input is lost, and shows changes of other
 * users before they are overwritten.
 */
export function EditForm<T, Body>({
  label,
  saving,
  isChanged,
  hasSecret = false,
  mayChange = true,
  mine,
  theirs,
  onSave,
  onUndo,
  children,
  ...shown
}: Props<T, Body>) {
  const { conflict, isPending, fault } = saving;
  useUnsaved(isChanged && mayChange, hasSecret);
  return (
    <form
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
      noValidate
    >
      <Stack>
        <Fieldset variant="unstyled" mx={0} p={0} disabled={!mayChange}>
          {children}
        </Fieldset>
        {conflict !== undefined && (
          <ConflictChoice
            mine={mine(conflict.mine)}
            theirs={theirs(conflict.theirs.data)}
            isPending={isPending}
            onKeep={saving.keepMine}
            onTake={saving.takeTheirs}
            {...shown}
          />
        )}
        <ChangeFault fault={fault} />
        {mayChange && (
          <Group>
            <Button type="submit" loading={isPending} disabled={!isChanged || conflict !== undefined}>
              {texts.editing.save}
            </Button>
            {isChanged && (
              <Button variant="default" onClick={onUndo}>
                {texts.editing.undo}
              </Button>
            )}
            {saving.isSaved && !isChanged && <Text role="status">{texts.editing.saved}</Text>}
          </Group>
        )}
      </Stack>
    </form>
  );
}
