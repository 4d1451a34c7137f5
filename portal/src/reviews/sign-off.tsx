import { Alert, Button, Stack, Text, Textarea } from '@mantine/core';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { ChangeFault } from '../parts/change';
import { useHeld } from '../parts/held';
import { Said } from '../parts/said';
import { Time } from '../parts/time';
import { mayAct, usePerson } from '../shell/person';
import { texts } from '../texts';
import { type Review, hasOtherAccount } from './review';

const t = texts.reviews;

interface Props {
  readonly review: Review;
  readonly isOwn: boolean;
}

/** Shows the sign-off of a forced approval or an emergency; before it, a form for people who may sign off. */
export function SignOff({ review, isOwn }: Props) {
  const person = usePerson();
  const { id, status, after_review: state, sign_off: done, review_groups_data: said } = review;
  if (done !== null && done !== undefined)
    return (
      <Alert color="gray" title={t.signedOff}>
        <Said text={t.by(done.by)} /> · <Time at={done.at} />
        <Text>
          <Said text={done.comment} />
        </Text>
      </Alert>
    );
  if (state !== 'open') return null;
  const hasForced = said.some(({ reviewed_by: by, forced_review }) => forced_review && by?.id === person.id);
  const isSame = isOwn || hasForced || hasOtherAccount(review, person, ({ forced_review }) => forced_review);
  const names = said.some(({ group }) => person.groups.includes(group));
  const mayForce = review.force_approval_groups.some((group) => person.groups.includes(group));
  const hasSay = names || mayForce || person.role === 'admin';
  return (
    <Stack>
      <Alert color="yellow" title={t.unsigned}>
        {t.unsignedExplained}
      </Alert>
      {mayAct(person) && hasSay && !isSame && (
        <Form id={id} isUsable={status === 'APPROVED' || status === 'PROCESSING'} />
      )}
    </Stack>
  );
}

function Form({ id, isUsable }: { readonly id: string; readonly isUsable: boolean }) {
  const [comment, setComment] = useHeld('sign-off', () => '');
  const signOff = api.useMutation('post', '/reviews/{id}/sign-off', {
    onSettled: () => queries.invalidateQueries(),
  });
  if (isUsable) return <Text>{t.signOffLater}</Text>;
  return (
    <Stack>
      <ChangeFault fault={signOff.error} />
      <Textarea
        label={t.signOffComment}
        required
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
        autosize
      />
      <Button
        w="fit-content"
        loading={signOff.isPending}
        disabled={comment.trim() === ''}
        onClick={() => signOff.mutate({ params: { path: { id } }, body: { comment: comment.trim() } })}
      >
        {t.signOff}
      </Button>
    </Stack>
  );
}
