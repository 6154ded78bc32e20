import type { Booking } from '@lendtools/contracts';
import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useUser } from '../../api/session-slice.ts';
import { usePermission } from '../../api/use-permission.ts';
import { formatDate } from '../../rental/format-instant.ts';
import { TextDialog } from '../../ui/text-dialog.tsx';
import { useReportProblemMutation, useSettleProblemMutation } from './bookings-api.ts';

type Problem = NonNullable<Booking['problems']>[number];
const longestText = 1000;

export function ReportProblem({ booking, userId }: { booking: Booking; userId: string }) {
  const [report] = useReportProblemMutation();
  if (!booking.allowedActions.includes('reportProblem')) return null;
  const other = booking.userId === userId ? booking.toolOwner : booking.user;
  return (
    <TextDialog
      button="Report a problem"
      title="Report a problem"
      label="What is wrong?"
      description={`Only our team reads it. ${other.first_name} is told that you reported a problem.`}
      field="text"
      missing="Please enter what is wrong"
      maxLength={longestText}
      submit="Send report"
      done="Reported. Our team looks at it."
      onSubmit={(text) => report({ userId, bookingId: booking.id, text })}
    >
      Our team looks at it and writes to both of you. The booking is not completed before that.
    </TextDialog>
  );
}

interface SettleProps {
  problemId: string;
  bookingId: string;
  name?: string;
}

export function SettleProblem({ problemId, bookingId, name }: SettleProps) {
  const [settle] = useSettleProblemMutation();
  return (
    <TextDialog
      button="Settle"
      {...(name && { buttonName: `Settle: ${name}` })}
      title="Settle this problem"
      label="Note"
      description="The renter and the owner read it."
      field="note"
      missing="Please enter a note"
      maxLength={longestText}
      submit="Settle"
      done="Settled. Both parties are told."
      onSubmit={(note) => settle({ problemId, bookingId, note })}
    >
      Say what was found, and what follows from it. Once no problem is open, the booking is
      completed when its time has come.
    </TextDialog>
  );
}

function titleOf({ kind, by }: Problem, { user, toolOwner }: Booking, me: string | undefined) {
  if (kind === 'owner-disabled') return 'The owner’s account is disabled';
  const reporter = by === 'renter' ? user : toolOwner;
  return reporter.id === me
    ? 'You have reported a problem'
    : `${reporter.first_name} has reported a problem`;
}

function OneProblem({ problem, booking }: { problem: Problem; booking: Booking }) {
  const user = useUser();
  const maySettle = usePermission('moderate');
  const { text, openedAt, settledAt, note } = problem;
  return (
    <Alert
      mt="md"
      color={settledAt ? 'gray' : 'orange'}
      title={titleOf(problem, booking, user?.id)}
      icon={settledAt ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
      style={{ overflowWrap: 'anywhere' }}
    >
      {text && (
        <Text mb="xs" style={{ whiteSpace: 'pre-line' }}>
          “{text}”
        </Text>
      )}
      <Text>
        {settledAt
          ? `Reported on ${formatDate(openedAt)}, settled on ${formatDate(settledAt)}.`
          : `Reported on ${formatDate(openedAt)}. Our team looks at it; the booking is completed once it is settled.`}
      </Text>
      {note && (
        <Text mt="xs" style={{ whiteSpace: 'pre-line' }}>
          LendTools wrote: “{note}”
        </Text>
      )}
      {!settledAt && maySettle && (
        <Text component="div" mt="xs">
          <SettleProblem problemId={problem.id} bookingId={booking.id} />
        </Text>
      )}
    </Alert>
  );
}

export function Problems({ booking }: { booking: Booking }) {
  return booking.problems?.map((problem) => (
    <OneProblem key={problem.id} problem={problem} booking={booking} />
  ));
}
