import type { Booking } from '@lendtools/contracts';
import {
  type Approval,
  type RequestedChange,
  requestedChangeOf,
} from '@lendtools/contracts/open-approval';
import * as paths from '@lendtools/contracts/pages';
import { Alert, Anchor, Group, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { answerByInWords } from '../../rental/answer-by.ts';
import { earningsInWords } from '../../rental/earnings-in-words.ts';
import { formatCents, formatDayAndTime, formatMoney } from '../../rental/format.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { ApprovalActions } from './approval-actions.tsx';
import classes from './booking-facts.module.css';

type Rental = Pick<
  RequestedChange,
  'quantity' | 'start_date' | 'start_time' | 'end_date' | 'end_time'
>;

function rentalInWords({ quantity, start_date, start_time, end_date, end_time }: Rental) {
  return `${quantity} × ${formatDayAndTime(start_date, start_time)} to ${formatDayAndTime(end_date, end_time)}`;
}

/**
 * Shows a change whose payment needs the renter's card. Hidden from an owner who must accept it: the owner sees the
 * change only once the card is authorized.
 */
export function UnpaidChange({ booking }: { booking: Booking }) {
  const { id, unpaidChange: change, user, toolOwner } = booking;
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

/** Describes a change: the old dates and price, its cost, and who keeps the difference if the new price is lower. */
export function changeInWords(
  { before, paid, refunded, kept, accepted }: NonNullable<Booking['changes']>[number],
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

function differenceInWords(
  { dueCents, refundCents, keptCents }: RequestedChange,
  { whose, keeper }: { whose: string; keeper: string },
): string {
  if (dueCents > 0) return `${formatCents(dueCents)} more`;
  const back = refundCents > 0 && `${formatCents(refundCents)} back to ${whose} card`;
  const kept = keptCents > 0 && `${formatCents(keptCents)} stays with ${keeper}`;
  return [back, kept].filter(Boolean).join(', ') || 'None';
}

function stateInWords(
  booking: Booking,
  { status, note, answerBy, chargesAt, change }: Approval & { change: RequestedChange },
  me: string | undefined,
): string {
  const { user, toolOwner } = booking;
  const { dueCents } = change;
  const [isOwner, isRenter] = [me === toolOwner.id, me === user.id];
  const whose = isRenter ? 'your' : `${user.first_name}’s`;
  const Whose = isRenter ? 'Your' : whose;
  const by = answerByInWords({ answerBy }, booking);
  const stays = 'The booking stays as it was.';
  const free = dueCents > 0 ? `${Whose} card was not charged. ${stays}` : stays;
  const charged = dueCents > 0 ? ` ${Whose} card is charged ${formatCents(dueCents)} ` : '';
  switch (status) {
    case 'pending':
      if (chargesAt) return `Accepted.${charged}in a moment. Until then you can undo this.`;
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
    case 'obsolete':
      return dueCents > 0
        ? `This change is over. ${Whose} card was not charged.`
        : 'This change is over.';
  }
}

export function ChangeRequest({ booking }: { booking: Booking }) {
  const { approval, allowedActions, user, toolOwner, payment } = booking;
  const me = useUser()?.id ?? '';
  const change = approval?.change;
  if (!change) return null;
  const isOpen = requestedChangeOf(booking) !== undefined;
  const whose = me === user.id ? 'your' : `${user.first_name}’s`;
  const keeper = me === toolOwner.id ? 'you' : toolOwner.first_name;
  const hasButtons = (['accept', 'undoAccept', 'decline', 'withdraw'] as const).some((action) =>
    allowedActions.includes(action),
  );
  return (
    <Alert
      mt="md"
      color={isOpen ? 'orange' : 'gray'}
      title={`${me === user.id ? 'You' : user.first_name} asked for a change`}
    >
      <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
        {stateInWords(booking, { ...approval, change }, me)}
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
        {isOpen && change.earnings && (
          <Fact name={`${me === toolOwner.id ? 'You' : toolOwner.first_name} would earn`}>
            {earningsInWords(change.earnings)}
          </Fact>
        )}
      </Facts>
      {hasButtons && (
        <Group mt="md" gap="sm">
          <ApprovalActions booking={booking} userId={me} />
        </Group>
      )}
    </Alert>
  );
}
