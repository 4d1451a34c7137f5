import { Button, Group, Stack, TextInput, Textarea } from '@mantine/core';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { ChangeFault } from '../parts/change';
import { useHeld } from '../parts/held';
import { LONGEST, withLimit } from '../parts/longest';
import { TimeInput } from '../parts/time-input';
import { texts } from '../texts';
import { isPrivateKey } from './private-key';

const t = texts.sshKeys;
const timeIn = (given: string): string | null => (given === '' ? null : given);

/** A form that registers a public key. A private key that is pasted by mistake is not sent. */
export function SshKeyRegistration() {
  const [name, setName] = useHeld('name', () => '');
  const [line, setLine] = useHeld(
    'public key',
    () => '',
    (text) => (isPrivateKey(text) ? '' : text),
  );
  const [expires, setExpires] = useHeld('expires', () => '');
  const register = api.useMutation('post', '/ssh-public-keys', {
    // Clear the field only if it still has the sent text, because the user may type during the request.
    onSuccess: (_made, { body }) => {
      setName((now) => (now === body.name ? '' : now));
      setLine((now) => (now === body.public_key ? '' : now));
      setExpires((now) => (timeIn(now) === body.expires_at ? '' : now));
    },
    onSettled: () => queries.invalidateQueries(),
  });
  const isPrivate = isPrivateKey(line);
  const limit = withLimit(line, LONGEST.sshPublicKey);
  return (
    <form
      aria-label={t.register}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPrivate) register.mutate({ body: { name, public_key: line, expires_at: timeIn(expires) } });
      }}
    >
      <Stack maw={560}>
        <TextInput
          label={t.name}
          required
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Textarea
          label={t.publicKey}
          description={t.publicKeyExplained}
          required
          value={line}
          {...limit}
          error={isPrivate ? t.isPrivate : limit.error}
          onChange={({ currentTarget }) => setLine(currentTarget.value)}
          autosize
          minRows={2}
          maxRows={8}
        />
        <TimeInput
          label={t.expires}
          description={t.expiresExplained}
          step={60}
          value={expires}
          onChange={setExpires}
        />
        <ChangeFault fault={register.error} />
        <Group>
          <Button type="submit" loading={register.isPending} disabled={isPrivate}>
            {t.register}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
