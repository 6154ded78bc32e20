import type { BlockedPerson } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button, Card, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useBlockedPeopleQuery } from '../../api/blocks-api.ts';
import { useUser } from '../../api/session-slice.ts';
import { momentInWords } from '../../rental/format-instant.ts';
import { Face } from '../../ui/face.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState } from '../../ui/page-states.tsx';
import { useBlock } from '../../ui/use-block.ts';

function PersonCard({ person, userId }: { person: BlockedPerson; userId: string }) {
  const { id, first_name, last_name, image, blockedAt } = person;
  const name = `${first_name} ${last_name}`.trim();
  const { isLoading, unblock } = useBlock(userId, { id, name: first_name });
  return (
    <Card component="li" withBorder padding="md">
      <Group gap="md" wrap="nowrap">
        <Face name={name} image={image} size={48} />
        <Stack gap={2} flex={1} miw={0}>
          <Text fw={600}>{name}</Text>
          <Text size="sm" c="dimmed">
            Blocked {momentInWords(blockedAt)}
          </Text>
        </Stack>
        <Button
          variant="default"
          size="sm"
          flex="none"
          aria-label={`Unblock ${name}`}
          loading={isLoading}
          onClick={() => void unblock()}
        >
          Unblock
        </Button>
      </Group>
    </Card>
  );
}

function BlockedPeople({ userId }: { userId: string }) {
  const { data: people, error, refetch } = useBlockedPeopleQuery(userId);
  if (!people && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!people) return <Skeleton h={80} maw={680} aria-hidden />;
  if (people.length === 0)
    return (
      <EmptyState icon={IconBan} title="You haven’t blocked anyone">
        You can block someone in a conversation, or on their page or that of their tool.
      </EmptyState>
    );
  return (
    <Stack maw={680} gap="md">
      <Text c="dimmed">
        You don’t see each other’s tools, and can’t ask, book or write to each other.
      </Text>
      <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
        {people.map((person) => (
          <PersonCard key={person.id} person={person} userId={userId} />
        ))}
      </Stack>
    </Stack>
  );
}

export default function BlockedPeoplePage() {
  const userId = useUser()?.id;
  return (
    <>
      <PageHeader title="Blocked people" back={{ to: paths.profile, label: 'Settings' }} />
      {userId && <BlockedPeople userId={userId} />}
    </>
  );
}
