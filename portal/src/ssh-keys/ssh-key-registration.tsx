import { TextInput, Textarea } from '@mantine/core';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { CreationForm } from '../parts/creation-form';
import { useHeld } from '../parts/held';
import { LONGEST, withLimit } from '../parts/longest';
import { useNamedUntil } from '../parts/named-until';
import { TimeInput } from '../parts/time-input';
import { texts } from '../texts';
import { isPrivateKey } from './private-key';

const t = texts.sshKeys;

/** A form that registers a public key. A private key that is pasted by mistake is not sent. */
export function SshKeyRegistration() {
  const fields = useNamedUntil();
  const [line, setLine] = useHeld(
    'public key',
    () => '',
    (text) => (isPrivateKey(text) ? '' : text),
  );
  const register = api.useMutation('post', '/ssh-public-keys', {
    onSuccess: (_made, { body }) => {
      fields.clear(body);
      setLine((now) => (now === body.public_key ? '' : now));
    },
    onSettled: () => queries.invalidateQueries(),
  });
  const isPrivate = isPrivateKey(line);
  const limit = withLimit(line, LONGEST.sshPublicKey);
  return (
    <CreationForm
      action={t.register}
      isPending={register.isPending}
      isDisabled={isPrivate}
      fault={register.error}
      onCreate={() => {
        if (!isPrivate) register.mutate({ body: { ...fields.body, public_key: line } });
      }}
    >
      <TextInput label={t.name} required {...fields.name} />
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
      <TimeInput label={t.expires} description={t.expiresExplained} {...fields.expires} />
    </CreationForm>
  );
}
