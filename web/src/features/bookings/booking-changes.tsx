import type { Booking } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { findPendingChange } from '@lendtools/contracts/pending-change';
import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { errorMessage } from '../../api/error-message.ts';
import { useUser } from '../../api/session-slice.ts';
import { answerByInWords } from '../../lib/answer-by.ts';
import { formatCents, formatDayAndTime, formatMoney } from '../../lib/format.ts';
import { confirm } from '../../ui/confirm.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import classes from './booking-facts.module.css';
import {
  useAcceptChangeMutation,
  useDeclineChangeMutation,
  useWithdrawChangeMutation,
} from './bookings-api.ts';
import { DeclineWithNote } from './decline-with-note.tsx';

type Change = NonNullable<Booking['changeRequest']>;

type Rental = Pick<Change, 'quantity' | 'start_date' | 'start_time' | 'end_date' | 'end_time'>;

const rentalInWords = ({ quantity, start_date, start_time, end_date, end_time }: Rental) =>
  `${quantity} × ${formatDayAndTime(start_date, start_time)} to ${formatDayAndTime(end_date, end_time)}`;

/**
 * An unpaid change, for which the renter still has to enter a card. The owner of a tool on request doesn't see it
 * before that.
 */
export function OpenChange({ booking }: { booking: Booking }) {
  const { id, openChange: change, user, toolOwner } = booking;
  const isRenter = useUser()?.id === user.id;
  if (!change || (change.onRequest && !isRenter)) return null;
  const due = formatCents(change.dueCents);
  return (
    <Alert
      mt="md"
      color="orange"
      title={change.onRequest ? 'A change is not asked for yet' : 'A change is not paid yet'}
    >
      {isRenter ? 'You want' : `${user.first_name} wants`} {rentalInWords(change)}. It costs {due}{' '}
      more
      {change.onRequest
        ? `, charged only if ${toolOwner.first_name} accepts.`
        : '; until that is paid the booking stays as it is.'}
      {isRenter && (
        <Anchor
          component={Link}
          to={paths.ofId(paths.changeBooking, id)}
          c="inherit"
          underline="always"
          display="block"
          mt={4}
        >
          {change.onRequest ? `Ask ${toolOwner.first_name}` : `Pay ${due}`}
        </Anchor>
      )}
    </Alert>
  );
}

/** The dates and price before a change, its cost, and who keeps the difference if it costs less. */
export function changeInWords(
  { before, paid, refunded, kept = 0, accepted }: NonNullable<Booking['changes']>[number],
  keeper: string,
): string {
  const parts = [
    ...(refunded > 0 ? [`${formatMoney(refunded)} went back`] : []),
    ...(kept > 0 ? [`${formatMoney(kept)} stayed with ${keeper}`] : []),
  ];
  const cheaper = parts.length > 0 ? `, of which ${parts.join(' and ')}` : '';
  const money = paid > 0 ? `, then ${formatMoney(paid)} more` : cheaper;
  return `Before: ${rentalInWords(before)} for ${formatMoney(before.payment)}${money}${accepted ? `. Accepted by ${keeper}` : ''}`;
}

/** The payment, the refund or the amount the owner keeps, if the change is accepted. */
function differenceInWords(
  { dueCents, refundCents, keptCents }: Change,
  { whose, keeper }: { whose: string; keeper: string },
): string {
  if (dueCents > 0) return `${formatCents(dueCents)} more`;
  const back = refundCents > 0 && `${formatCents(refundCents)} back to ${whose} card`;
  const kept = keptCents > 0 && `${formatCents(keptCents)} stays with ${keeper}`;
  return [back, kept].filter(Boolean).join(', ') || 'None';
}

/** The state of a change, phrased for its reader. */
function stateInWords(booking: Booking, change: Change, me: string | undefined): string {
  const { user, toolOwner } = booking;
  const { state, dueCents, note } = change;
  const [isOwner, isRenter] = [me === toolOwner.id, me === user.id];
  const whose = isRenter ? 'your' : `${user.first_name}’s`;
  const Whose = isRenter ? 'Your' : whose;
  const by = answerByInWords(change, booking);
  const stays = 'The booking stays as it was.';
  const free = dueCents > 0 ? `${Whose} card was not charged. ${stays}` : stays;
  const charged = dueCents > 0 ? ` ${Whose} card is charged ${formatCents(dueCents)} ` : '';
  switch (state) {
    case 'asked':
      return isOwner
        ? `${user.first_name} is waiting for your answer until ${by}.${charged && `${charged}once you accept.`} Until then the booking stays as it is.`
        : `Waiting for ${toolOwner.first_name}, until ${by}.${charged && `${charged}only if ${toolOwner.first_name} accepts.`} Until then the booking stays as it is.`;
    case 'accepted':
      return `Accepted. ${Whose} card is being charged…`;
    case 'declined':
      return `This change was declined. ${note && `“${note}” `}${free}`;
    case 'withdrawn':
      return `${isRenter ? 'You' : user.first_name} withdrew this change. ${free}`;
    case 'lapsed':
      return `This change has ended without an answer. ${free}`;
    case 'failed':
      return `${Whose} card could not be charged for this change. ${stays}`;
    case 'ended':
      return dueCents > 0
        ? `This change is over. ${Whose} card was not charged.`
        : 'This change is over.';
  }
}

interface AnswerProps {
  booking: Booking;
  change: Change;
  userId: string;
}

function AcceptChange({ booking, change, userId }: AnswerProps) {
  const [accept, { isLoading }] = useAcceptChangeMutation();
  const press = async () => {
    const { error } = await accept({ userId, bookingId: booking.id, changeId: change.id });
    if (error) return toastError(errorMessage(error));
    const then = `${booking.user.first_name}’s card is being charged.`;
    toastSuccess(`Accepted. ${change.dueCents > 0 ? then : 'The booking is changed.'}`);
  };
  return (
    <Button loading={isLoading} onClick={() => void press()}>
      Accept
    </Button>
  );
}

function DeclineChange({ booking, change, userId }: AnswerProps) {
  const [decline] = useDeclineChangeMutation();
  const { first_name } = booking.user;
  return (
    <DeclineWithNote
      title="Decline this change?"
      reader={first_name}
      done="Declined. The booking stays as it was."
      onDecline={(note) => decline({ userId, bookingId: booking.id, changeId: change.id, note })}
    >
      {change.dueCents > 0 && `${first_name} is not charged. `}The booking of {booking.name} stays
      as it is.
    </DeclineWithNote>
  );
}

function WithdrawChange({ booking, change, userId }: AnswerProps) {
  const [withdraw, { isLoading }] = useWithdrawChangeMutation();
  const ask = async () => {
    const stays = 'Your booking stays as it is.';
    const agreed = await confirm(
      change.dueCents > 0 ? `Your card was not charged. ${stays}` : stays,
      { title: 'Withdraw this change?', confirm: 'Withdraw', cancel: 'Keep it' },
    );
    if (!agreed) return;
    const { error } = await withdraw({ userId, bookingId: booking.id, changeId: change.id });
    if (error) toastError(errorMessage(error));
    else toastSuccess('Withdrawn. Your booking stays as it is.');
  };
  return (
    <Button variant="default" loading={isLoading} onClick={() => void ask()}>
      Withdraw
    </Button>
  );
}

/** A change that the owner has to accept, with buttons for the reader's role; after its end, the outcome. */
export function ChangeRequest({ booking }: { booking: Booking }) {
  const { changeRequest: change, allowedActions, user, toolOwner, payment } = booking;
  const me = useUser()?.id ?? '';
  if (!change) return null;
  const isOpen = findPendingChange(booking) !== undefined;
  const whose = me === user.id ? 'your' : `${user.first_name}’s`;
  const keeper = me === toolOwner.id ? 'you' : toolOwner.first_name;
  const answer = { booking, change, userId: me };
  const buttons = [
    allowedActions.includes('acceptChange') && <AcceptChange key="accept" {...answer} />,
    allowedActions.includes('declineChange') && <DeclineChange key="decline" {...answer} />,
    allowedActions.includes('withdrawChange') && <WithdrawChange key="withdraw" {...answer} />,
  ].filter(Boolean);
  return (
    <Alert
      mt="md"
      color={isOpen ? 'orange' : 'gray'}
      title={`${me === user.id ? 'You' : user.first_name} asked for a change`}
    >
      <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
        {stateInWords(booking, change, me)}
      </Text>
      <Facts className={classes.facts}>
        {isOpen && (
          <Fact name="Now" long>{`${rentalInWords(booking)} for ${formatMoney(payment)}`}</Fact>
        )}
        <Fact
          name={isOpen ? 'Then' : 'Asked for'}
          long
        >{`${rentalInWords(change)} for ${formatMoney(change.payment)}`}</Fact>
        {isOpen && <Fact name="Difference">{differenceInWords(change, { whose, keeper })}</Fact>}
      </Facts>
      {buttons.length > 0 && (
        <Group mt="md" gap="sm">
          {buttons}
        </Group>
      )}
    </Alert>
  );
}
