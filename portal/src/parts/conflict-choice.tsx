import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { texts } from '../texts';
import { type Shown, SideBySide, differing } from './side-by-side';

const t = texts.conflict;

interface Props extends Shown {
  readonly mine: object;
  readonly theirs: object;
  readonly isPending: boolean;
  readonly onKeep: () => void;
  readonly onTake: () => void;
}

/** Shows both versions of a resource that two people changed, side by side, and the choice between them. */
export function ConflictChoice({ mine, theirs, isPending, onKeep, onTake, ...shown }: Props) {
  return (
    <Alert color="orange" role="alert" title={t.title}>
      <Stack>
        <Text>{t.explained}</Text>
        <SideBySide heads={[t.mine, t.theirs]} rows={differing(mine, theirs, shown)} />
        <Group>
          <Button onClick={onKeep} loading={isPending}>
            {t.keep}
          </Button>
          <Button variant="default" onClick={onTake}>
            {t.take}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
