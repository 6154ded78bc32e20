import type { PublicPerson } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import { lazy } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { problemOf } from '../../api/error-message.ts';
import { useUser } from '../../api/session-slice.ts';
import { counted, formatMonth } from '../../rental/format.ts';
import { Face } from '../../ui/face.tsx';
import { EmptyState, ErrorState } from '../../ui/page-states.tsx';
import { Part } from '../../ui/part.tsx';
import { EmailVerified } from '../../ui/verify-email.tsx';
import { usePublicPersonQuery } from './person-api.ts';
import classes from './person-page.module.css';
import { PersonReviews } from './person-reviews.tsx';
import { answersInWords } from './person-words.ts';

const ReportButton = lazy(() => import('../../ui/report/report-button.tsx'));
const BlockButton = lazy(() => import('../../ui/block-button.tsx'));

function asOwnerInWords({ rentals, reviewCount, rating, ownerRating }: PublicPerson['asOwner']) {
  if (rentals === 0) return 'Has not lent a tool yet';
  const stars = reviewCount > 0 ? `, tools rated ${rating.toFixed(1)}` : '';
  const owner = ownerRating > 0 ? `, as an owner ${ownerRating.toFixed(1)} of 5` : '';
  return `Lent tools ${counted(rentals, 'time')}${stars}${owner}`;
}

function asRenterInWords(renter: PublicPerson['asRenter']) {
  const { rentals, reviewCount, care, punctuality, communication } = renter;
  if (rentals === 0) return 'Has not rented a tool yet';
  const stars =
    reviewCount > 0
      ? `, rated for care ${care.toFixed(1)}, punctuality ${punctuality.toFixed(1)}, communication ${communication.toFixed(1)} of 5`
      : '';
  return `Rented ${counted(rentals, 'time')}${stars}`;
}

function Person({ person }: { person: PublicPerson }) {
  const userId = useUser()?.id;
  const navigate = useNavigate();
  const { first_name, last_name, image, city, state, memberSince, emailVerified } = person;
  const name = `${first_name} ${last_name}`;
  const answers = answersInWords(person);
  return (
    <Stack gap="xl">
      <title>{`${name} · LendTools`}</title>
      <header className={classes.head}>
        <Face name={name} image={image} size={88} />
        <div>
          <Title order={1} fz="h2">
            {name}
          </Title>
          <ul className={classes.facts}>
            <li>
              Member since {formatMonth(memberSince)}
              {city && ` · ${city}, ${state}`}
            </li>
            {answers && <li>{answers}</li>}
            <li>{asOwnerInWords(person.asOwner)}</li>
            <li>{asRenterInWords(person.asRenter)}</li>
          </ul>
          <Group gap="sm" mt="xs">
            {emailVerified && <EmailVerified />}
            {userId && userId !== person.id && (
              <Part>
                <ReportButton about="person" id={person.id} what={first_name} />
                <BlockButton
                  userId={userId}
                  id={person.id}
                  name={first_name}
                  onBlocked={() => void navigate(paths.dashboard)}
                />
              </Part>
            )}
          </Group>
        </div>
      </header>
      <PersonReviews person={person} as="owner" />
      <PersonReviews person={person} as="renter" />
    </Stack>
  );
}

/** A person's public page. */
export default function PersonPage() {
  const id = useSearchParams()[0].get('id') ?? '';
  const { data: person, error, refetch } = usePublicPersonQuery(id);
  const isGone = ['PERSON_NOT_FOUND', 'VALIDATION_FAILED'].includes(problemOf(error).code ?? '');
  return (
    <div className="page-width">
      {person && <Person key={person.id} person={person} />}
      {!person && !error && (
        <Group py="lg" role="status" aria-label="loading data">
          <Skeleton circle h={88} />
          <Text component="div" flex={1}>
            <Skeleton h={28} w={200} mb="sm" />
            <Skeleton h={16} w={260} />
          </Text>
        </Group>
      )}
      {!person && isGone && (
        <EmptyState icon={IconUserOff} title="This person is not on LendTools any more" order={1} />
      )}
      {!person && error && !isGone && <ErrorState error={error} onRetry={() => void refetch()} />}
    </div>
  );
}
