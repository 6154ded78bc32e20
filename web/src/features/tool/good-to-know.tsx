import type { Tool } from '@lendtools/contracts';
import { Text, Title } from '@mantine/core';
import { IconCalendarCancel, IconClock, IconMapPin, IconShieldCheck } from '@tabler/icons-react';
import { lazy, type ReactNode } from 'react';
import { CancellationText } from '../../ui/cancellation-terms.tsx';
import { Part } from '../../ui/part.tsx';
import classes from './tool-page.module.css';

const RentalTerms = lazy(() => import('./rental-terms.tsx'));

/** Whether there are terms to show to renters; some terms only affect the listing. */
function hasTerms({ terms }: Tool): boolean {
  return Boolean(
    terms &&
      (terms.shortest ||
        terms.longest ||
        terms.noticeHours ||
        terms.booking === 'request' ||
        terms.discounts?.length ||
        (terms.hours && Object.keys(terms.hours).length > 0)),
  );
}

interface TermProps {
  icon: ReactNode;
  title: string;
  children: ReactNode;
}

function Term({ icon, title, children }: TermProps) {
  return (
    <li className={classes.term}>
      {icon}
      <div>
        <Text fw={650}>{title}</Text>
        <Text c="dimmed" component="div">
          {children}
        </Text>
      </div>
    </li>
  );
}

export function GoodToKnow({ tool }: { tool: Tool }) {
  const { first_name, city, state } = tool.user;
  const policy = tool.terms?.cancellation;
  return (
    <section>
      <Title order={2} mb="md">
        Good to know
      </Title>
      <ul className={classes.terms}>
        <Term icon={<IconMapPin aria-hidden />} title={`Pick-up in ${city}, ${state}`}>
          Once it is booked, you get {first_name}’s address and can write to each other.
        </Term>
        {hasTerms(tool) && (
          <Term icon={<IconClock aria-hidden />} title={`What ${first_name} asks for`}>
            <Part>
              <RentalTerms tool={tool} />
            </Part>
          </Term>
        )}
        <Term
          icon={<IconCalendarCancel aria-hidden />}
          title={policy ? `Cancellation: ${policy}` : 'Free cancellation'}
        >
          <Part>
            <CancellationText policy={policy} />
          </Part>
        </Term>
        <Term icon={<IconShieldCheck aria-hidden />} title="Paid by card, here">
          No cash at the door. Should the tool not be as described, {first_name} or LendTools can
          refund you.
        </Term>
      </ul>
    </section>
  );
}
