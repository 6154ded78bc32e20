import type { Payouts } from '@lendtools/contracts';
import { Alert, Button, Skeleton, Text, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { usePayoutAccountQuery } from '../../api/payout-account-api.ts';
import { formatCents } from '../../rental/format.ts';
import { momentInWords } from '../../rental/format-instant.ts';
import { MoneyTile } from './money-tile.tsx';
import classes from './payouts.module.css';
import { waitWords } from './wait-words.ts';

export type EarningsSummary = NonNullable<Payouts['summary']>;

function NextTransfer({ next }: Pick<EarningsSummary, 'next'>) {
  if (!next) return null;
  const when = Date.parse(next.at) > Date.now() ? momentInWords(next.at) : 'in a moment';
  return (
    <Text mt="md">
      Next, we send you <strong className="tabular">{formatCents(next.cents)}</strong>, {when}.
      Stripe then pays it to your bank account, mostly within a few days.
    </Text>
  );
}

function Debt({ cents }: { cents: number }) {
  if (cents === 0) return null;
  return (
    <Alert
      mt="md"
      color="orange"
      title={`You owe ${formatCents(cents)}`}
      icon={<IconInfoCircle aria-hidden />}
    >
      Renters or their banks got this back after you had been paid. We take it from your balance at
      Stripe if it is still there, and otherwise keep it from what you earn next. You don’t need to
      do anything.
    </Alert>
  );
}

function amountInWords({ cents, bookings }: EarningsSummary['waiting'][number]): string {
  return `${formatCents(cents)} from ${bookings} ${bookings === 1 ? 'booking' : 'bookings'}`;
}

/** Reasons that the owner can end come first. */
function inOrder(waiting: EarningsSummary['waiting']) {
  const rank = (wait: string) => ['account', 'hold'].indexOf(wait) + 1 || 3;
  return waiting.toSorted((a, b) => rank(a.waitsFor) - rank(b.waitsFor));
}

/** Admins see the reasons without the steps, which would open their own pages. */
function Waiting({
  ownerId,
  isOwn,
  waiting,
}: { ownerId: string; isOwn: boolean } & Pick<EarningsSummary, 'waiting'>) {
  const { data: account, isLoading } = usePayoutAccountQuery(ownerId);
  if (waiting.length === 0) return null;
  if (isLoading) return <Skeleton h={140} mt="xl" role="status" aria-label="Loading the reasons" />;
  return (
    <section aria-labelledby="waiting">
      <Title order={2} fz="h3" mt="xl" mb="sm" id="waiting">
        What your money waits for
      </Title>
      <ul className={classes.reasons}>
        {inOrder(waiting).map((one) => {
          const { title, text, step } = waitWords(one.waitsFor, account);
          return (
            <li key={one.waitsFor}>
              <Text fw={600}>
                {title}: <span className="tabular">{amountInWords(one)}</span>
              </Text>
              <Text c="dimmed">
                {text} {!step && one.waitsFor !== 'hold' && 'You don’t need to do anything.'}
              </Text>
              {isOwn && step && (
                <Button
                  component={Link}
                  to={step.to}
                  variant={one.waitsFor === 'account' ? 'filled' : 'default'}
                >
                  {step.label}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function OutsideStripe({ cents }: { cents: number }) {
  if (cents === 0) return null;
  return (
    <Text mt="md" c="dimmed">
      {formatCents(cents)} of what you earned is not paid by Stripe: these bookings were made before
      payouts by Stripe.
    </Text>
  );
}

interface SummaryProps {
  ownerId: string;
  isOwn: boolean;
  summary: EarningsSummary;
}

export function Summary({ ownerId, isOwn, summary }: SummaryProps) {
  const { onTheWayCents, availableCents, transferredCents, debtCents, outsideStripeCents } =
    summary;
  return (
    <>
      {/* A notice updates the page, so that its amounts are announced when they change. */}
      <div aria-live="polite">
        <div className={classes.tiles}>
          <MoneyTile title="On the way" cents={onTheWayCents}>
            From rentals that are not over, or have just ended
          </MoneyTile>
          <MoneyTile title="Available" cents={availableCents}>
            Yours, and not sent yet
          </MoneyTile>
          <MoneyTile title="Paid" cents={transferredCents}>
            Sent to your account at Stripe, which pays your bank
          </MoneyTile>
        </div>
        <NextTransfer next={summary.next} />
      </div>
      <Debt cents={debtCents} />
      <OutsideStripe cents={outsideStripeCents} />
      <Waiting ownerId={ownerId} isOwn={isOwn} waiting={summary.waiting} />
    </>
  );
}
