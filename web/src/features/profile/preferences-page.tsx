import type { NoticeTopic, Preferences, Topic } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { topicWords } from '@lendtools/contracts/topic-words';
import { Card, Group, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { errorMessage } from '../../api/error-message.ts';
import { useUser } from '../../api/session-slice.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { type Switched, usePreferencesQuery, useSetPreferencesMutation } from './profile-api.ts';

const explanations: Record<Topic, string> = {
  renting: 'Answers to your requests, changes, returns and problems.',
  lending:
    'New bookings and requests, changes and problems. A request ends if you don’t answer in time.',
  messages: 'What neighbors write to you.',
  reminders: 'When a pick-up, a return or a review is due, and when a neighbor reviews you.',
  payouts: 'What we send you, what your bank receives, and a reminder to set up payouts.',
};
const topics = Object.keys(explanations) as Topic[];

function isNoticeTopic(topic: Topic): topic is NoticeTopic {
  return topic !== 'messages';
}

function titleOf(topic: Topic) {
  return topicWords[topic].replace(/^./, (first) => first.toUpperCase());
}

interface TopicCardProps {
  topic: Topic;
  preferences: Preferences;
  onSwitch: (switched: Switched) => void;
}

function TopicCard({ topic, preferences, onSwitch }: TopicCardProps) {
  const title = titleOf(topic);
  return (
    <Card component="li" withBorder padding="md">
      <Group justify="space-between" gap="md">
        <Stack gap={2} flex="1 1 280px">
          <Title order={2} size="h5">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {explanations[topic]}
          </Text>
        </Stack>
        <Stack gap="sm" w={140}>
          <Switch
            size="md"
            label="Email"
            aria-label={`Email: ${title}`}
            checked={preferences.emails[topic]}
            onChange={({ currentTarget }) =>
              onSwitch({ channel: 'emails', topic, isOn: currentTarget.checked })
            }
          />
          {isNoticeTopic(topic) ? (
            <Switch
              size="md"
              label="In the app"
              aria-label={`In the app: ${title}`}
              checked={preferences.notices[topic]}
              onChange={({ currentTarget }) =>
                onSwitch({ channel: 'notices', topic, isOn: currentTarget.checked })
              }
            />
          ) : (
            <Text size="sm" c="dimmed">
              In the app: always
            </Text>
          )}
        </Stack>
      </Group>
    </Card>
  );
}

function outcomeInWords({ channel, topic, isOn }: Switched) {
  const what = channel === 'emails' ? 'Emails' : 'Notifications';
  return `${what} about ${topicWords[topic]} are ${isOn ? 'on' : 'off'}.`;
}

function Topics({ userId, preferences }: { userId: string; preferences: Preferences }) {
  const [setPreferences] = useSetPreferencesMutation();
  const save = async (switched: Switched) => {
    const { error } = await setPreferences({ userId, switched });
    if (error) toastError(errorMessage(error));
    else toastSuccess(outcomeInWords(switched));
  };
  return (
    <Stack component="ul" gap="sm" p={0} m={0} maw={680} style={{ listStyle: 'none' }}>
      {topics.map((topic) => (
        <TopicCard
          key={topic}
          topic={topic}
          preferences={preferences}
          onSwitch={(switched) => void save(switched)}
        />
      ))}
    </Stack>
  );
}

/** Which emails and notices the user wants. Each switch is saved at once. */
export default function PreferencesPage() {
  const userId = useUser()?.id;
  const { data: preferences, error, refetch } = usePreferencesQuery(userId ?? skipToken);
  return (
    <>
      <PageHeader
        title="Emails and notifications"
        back={{ to: paths.profile, label: 'Settings' }}
        intro="A change is saved at once."
      />
      {userId && preferences && <Topics userId={userId} preferences={preferences} />}
      {!preferences && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!preferences && !error && (
        <Stack gap="sm" maw={680} aria-hidden>
          {topics.map((topic) => (
            <Skeleton key={topic} h={92} />
          ))}
        </Stack>
      )}
      <Text c="dimmed" maw={680} mt="lg">
        We always tell you about logins and passwords, what you pay and get back, cancelled
        bookings, problems with your payouts, what you owe, reports, and your account itself.
      </Text>
    </>
  );
}
