import { Button, Checkbox, Group, Modal, Select, Stack, Text, TextInput, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { ChangeFault } from '../parts/change';
import { useHeld } from '../parts/held';
import { ACCESS_LENGTHS, lengthOf } from '../parts/lengths';
import { LONGEST, withLimit } from '../parts/longest';
import { mayAct, usePerson } from '../shell/person';
import { texts } from '../texts';
import { type Review, hasOtherAccount } from './review';

const t = texts.reviews;
const HOURS = /^([01]\d|2[0-3]):[0-5]\d$/;

interface Props {
  readonly review: Review;
  readonly isOwn: boolean;
}

/**
 * Shows the actions that the user may still take on a request. Omits only impossible actions. The gateway
 * decides whether an action is allowed.
 */
export function Decision({ review, isOwn }: Props) {
  const person = usePerson();
  const [from, setFrom] = useHeld('from', () => '');
  const [until, setUntil] = useHeld('until', () => '');
  const [seconds, setSeconds] = useState(review.access_duration);
  const [why, setWhy] = useHeld('why', () => '');
  const explanation = useId();
  const [isForcing, setForcing] = useState(false);
  const [isSure, setSure] = useState(false);
  const [forceReason, setForceReason] = useHeld('force', () => '');
  const decide = api.useMutation('put', '/reviews/{id}', {
    onSettled: () => queries.invalidateQueries(),
  });
  if (!mayAct(person)) return null;
  const { id, status, review_groups_data: groups, force_approval_groups: forcing } = review;
  const asked = groups.filter(({ group }) => person.groups.includes(group));
  const mayForce = forcing.some((group) => person.groups.includes(group));
  // Incomplete or invalid hours must not become an approval without a time window.
  const areWrong = (from !== '' || until !== '') && !(HOURS.test(from) && HOURS.test(until));
  const set = (to: 'APPROVED' | 'REJECTED' | 'REVOKED', force = false): void => {
    const hours =
      to === 'APPROVED' && from !== ''
        ? {
            time_window: {
              type: 'time_range' as const,
              configuration: { start_time: from, end_time: until },
            },
          }
        : {};
    const length = to === 'APPROVED' && seconds < review.access_duration ? { access_duration: seconds } : {};
    const reason = to === 'APPROVED' || why === '' ? {} : { rejection_reason: why };
    const forced = force ? { force_review: true, force_reason: forceReason.trim() } : {};
    decide.mutate({
      params: { path: { id } },
      body: { status: to, ...hours, ...length, ...reason, ...forced },
    });
    setForcing(false);
  };
  const isPending = status === 'PENDING';
  const hasSay = asked.length > 0 || mayForce || person.role === 'admin';
  const isOtherPerson = !isOwn && !hasOtherAccount(review, person);
  const mayApprove = isPending && isOtherPerson && asked.some(({ reviewed_by: by }) => by?.id !== person.id);
  const mayReject = isPending && !isOwn && hasSay;
  const mayRevoke = (isPending && isOwn) || (status === 'APPROVED' && (isOwn || hasSay));
  if (!mayReject && !mayRevoke) return <ChangeFault fault={decide.error} />;
  return (
    <Stack>
      <ChangeFault fault={decide.error} />
      {mayApprove && (
        <Stack gap={4}>
          <Text size="sm" id={explanation}>
            {t.hoursOfDay}
          </Text>
          <Group align="end">
            {review.type === 'jit' && (
              <Length asked={review.access_duration} seconds={seconds} onChange={setSeconds} />
            )}
            <TextInput
              label={t.from}
              aria-describedby={explanation}
              placeholder="09:00"
              value={from}
              onChange={(event) => setFrom(event.currentTarget.value)}
              error={areWrong}
              w={110}
            />
            <TextInput
              label={t.until}
              aria-describedby={explanation}
              placeholder="17:00"
              value={until}
              onChange={(event) => setUntil(event.currentTarget.value)}
              error={areWrong}
              w={110}
            />
            <Button
              color="green"
              loading={decide.isPending}
              disabled={areWrong}
              onClick={() => set('APPROVED')}
            >
              {t.approve}
            </Button>
            {areWrong && <Text role="status">{t.hoursWrong}</Text>}
          </Group>
        </Stack>
      )}
      <Textarea
        label={t.reasonAgainst[mayReject ? 'reject' : isPending ? 'withdraw' : 'revoke']}
        value={why}
        {...withLimit(why, LONGEST.rejectionReason)}
        onChange={(event) => setWhy(event.currentTarget.value)}
        autosize
      />
      <Group>
        {mayReject && (
          <Button color="red" variant="outline" loading={decide.isPending} onClick={() => set('REJECTED')}>
            {t.reject}
          </Button>
        )}
        {mayRevoke && (
          <Button color="red" variant="outline" loading={decide.isPending} onClick={() => set('REVOKED')}>
            {isPending ? t.withdraw : t.revoke}
          </Button>
        )}
        {isPending && mayForce && isOtherPerson && (
          <Button variant="default" disabled={areWrong} onClick={() => setForcing(true)}>
            {t.force}
          </Button>
        )}
      </Group>
      <Modal
        opened={isForcing}
        onClose={() => setForcing(false)}
        title={t.force}
        closeButtonProps={{ 'aria-label': texts.actions.cancel }}
      >
        <Stack>
          <Text>{t.forceExplained}</Text>
          <Checkbox
            label={t.forceSure}
            checked={isSure}
            onChange={(event) => setSure(event.currentTarget.checked)}
          />
          <Textarea
            label={t.forceReason}
            required
            value={forceReason}
            {...withLimit(forceReason, LONGEST.forceReason)}
            onChange={(event) => setForceReason(event.currentTarget.value)}
            autosize
          />
          <Button
            color="red"
            disabled={!isSure || forceReason.trim() === ''}
            onClick={() => set('APPROVED', true)}
          >
            {t.force}
          </Button>
        </Stack>
      </Modal>
    </Stack>
  );
}

interface LengthProps {
  /** Length of access in seconds: as requested, or as an earlier approver shortened it. */
  readonly asked: number;
  readonly seconds: number;
  readonly onChange: (seconds: number) => void;
}

/** Input for the length of access, which an approver may shorten. */
function Length({ asked, seconds, onChange }: LengthProps) {
  const shorter = ACCESS_LENGTHS.filter((each) => each < asked);
  return (
    <Select
      label={texts.credentialWay.duration}
      value={String(Math.min(seconds, asked))}
      onChange={(value) => onChange(Number(value))}
      data={[...shorter, asked].map((each) => ({ value: String(each), label: lengthOf(each) }))}
      allowDeselect={false}
      w={160}
    />
  );
}
