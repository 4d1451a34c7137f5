import { Button, Group, TextInput } from '@mantine/core';
import { texts } from '../texts';
import { LONGEST, withLimit } from './longest';
import { useRestarted } from './restarted';

const t = texts.ownerChoice;

interface Props {
  readonly user: string;
  readonly onShow: (user: string) => void;
}

/** A field for the user whose things a list shows; for auditors and admins. */
export function OwnerChoice({ user, onShow }: Props) {
  const [typed, setTyped] = useRestarted(user);
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onShow(typed.trim());
      }}
    >
      <Group align="end">
        <TextInput
          label={t.user}
          description={t.userExplained}
          value={typed}
          {...withLimit(typed, LONGEST.owner)}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit">{t.show}</Button>
      </Group>
    </form>
  );
}
