import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { ChangeFault } from '../parts/change';
import { useHeld } from '../parts/held';
import { LONGEST, withLimit } from '../parts/longest';
import { Said } from '../parts/said';
import { SureButton } from '../parts/sure-button';
import { textIn } from '../parts/text-in';
import { isAdmin, mayAct, usePerson } from '../shell/person';
import { texts } from '../texts';
import type { Session } from './session';

const t = texts.session;

/** Actions on a session. Its owner and admins may end it. Admins may set a legal hold and add a note. */
export function SessionChanges({ session }: { readonly session: Session }) {
  const person = usePerson();
  const [note, setNote] = useHeld('note', () => textIn(session.metadata['note']));
  const options = {
    onSettled: () => queries.invalidateQueries({ queryKey: ['get', '/sessions/{session_id}'] }),
  };
  const kill = api.useMutation('post', '/sessions/{session_id}/kill', options);
  const hold = api.useMutation('put', '/sessions/{session_id}/hold', options);
  const save = api.useMutation('patch', '/sessions/{session_id}/metadata', options);
  const params = { path: { session_id: session.id } };
  const isHeld = session.hold !== undefined && session.hold !== null;
  const end = session.status === 'open' && (
    <SureButton
      label={t.kill}
      explained={t.killExplained}
      isPending={kill.isPending}
      fault={kill.error}
      onSure={(done) => kill.mutate({ params }, { onSuccess: done })}
      onLeft={kill.reset}
    />
  );
  const held = isHeld && (
    <Text>
      <Said text={t.heldBy(session.hold?.held_by ?? '')} />
    </Text>
  );
  if (!isAdmin(person))
    return (
      <>
        {held}
        {session.user_id === person.id && mayAct(person) && <Group>{end}</Group>}
      </>
    );
  return (
    <Stack>
      {held}
      {[hold, save].map(({ error }, at) => (
        <ChangeFault key={at} fault={error} />
      ))}
      <Group align="end">
        {end}
        <Button
          variant="default"
          loading={hold.isPending}
          onClick={() => hold.mutate({ params, body: { held: !isHeld } })}
        >
          {isHeld ? t.release : t.hold}
        </Button>
        <TextInput
          label={t.note}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
          flex={1}
          miw={200}
          {...withLimit(note, LONGEST.note)}
        />
        <Button
          variant="default"
          loading={save.isPending}
          onClick={() => save.mutate({ params, body: { metadata: { note } } })}
        >
          {texts.editing.save}
        </Button>
        {save.isSuccess && <Text role="status">{texts.editing.saved}</Text>}
      </Group>
    </Stack>
  );
}
