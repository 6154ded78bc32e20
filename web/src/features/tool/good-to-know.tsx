import type { Tool } from '@lendtools/contracts';
import { Text, Title } from '@mantine/core';
import { IconCalendarCancel, IconMapPin, IconShieldCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { cancellationTerms } from '../../ui/cancellation-terms.tsx';
import classes from './tool-page.module.css';

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
        <Text c="dimmed">{children}</Text>
      </div>
    </li>
  );
}

/** What people want to know before they pay. */
export function GoodToKnow({ tool }: { tool: Tool }) {
  const { first_name, city, state } = tool.user;
  return (
    <section>
      <Title order={2} mb="md">
        Good to know
      </Title>
      <ul className={classes.terms}>
        <Term icon={<IconMapPin aria-hidden />} title={`Pick-up in ${city}, ${state}`}>
          Once it is booked, you get {first_name}’s address and can write to each other.
        </Term>
        <Term icon={<IconCalendarCancel aria-hidden />} title="Free cancellation">
          {cancellationTerms}
        </Term>
        <Term icon={<IconShieldCheck aria-hidden />} title="Paid by card, here">
          No cash at the door. Should the tool not be as described, {first_name} or LendTools can
          refund you.
        </Term>
      </ul>
    </section>
  );
}
