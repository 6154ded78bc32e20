import type { Booking, RenterFacts as Facts } from '@lendtools/contracts';
import { Group, Text } from '@mantine/core';
import { IconCircleCheck, IconUser } from '@tabler/icons-react';
import { counted, formatMonth } from '../../rental/format.ts';

function rentalsInWords({ rentals, rentalsOfOwner }: Facts): string {
  if (rentals === 0) return 'No past rentals';
  const past = counted(rentals, 'past rental');
  return rentalsOfOwner > 0 ? `${past}, ${rentalsOfOwner} with you` : past;
}

function factsInWords(facts: Facts): string[] {
  const { memberSince, cancelled, reviews, meanStars, received = 0, receivedStars } = facts;
  return [
    ...(memberSince ? [`Member since ${formatMonth(memberSince)}`] : []),
    rentalsInWords(facts),
    ...(cancelled > 0 ? [counted(cancelled, 'cancellation')] : []),
    ...(received > 0 ? [`${receivedStars} stars from ${counted(received, 'owner')}`] : []),
    reviews > 0
      ? `${counted(reviews, 'review')} written, ${meanStars} stars on average`
      : 'No reviews written',
  ];
}

/** What helps an owner to decide about a request, beside the button Accept. */
export function RenterFacts({ booking, mt }: { booking: Booking; mt?: string }) {
  const facts = booking.approval?.renter;
  if (!facts) return null;
  const { first_name } = booking.user;
  return (
    <Group
      role="group"
      aria-label={`About ${first_name}`}
      gap="xs"
      mt={mt}
      wrap="nowrap"
      align="start"
    >
      <IconUser size={18} stroke={1.7} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <Text size="sm">
        {factsInWords(facts).join(' · ')}
        <Text span inherit display="block" c={facts.emailVerified ? 'green' : 'dimmed'} fw={550}>
          {facts.emailVerified && (
            <IconCircleCheck
              size={16}
              aria-hidden
              style={{ verticalAlign: '-3px', marginInlineEnd: 4 }}
            />
          )}
          {facts.emailVerified ? 'Email verified' : 'Email not verified'}
        </Text>
      </Text>
    </Group>
  );
}
