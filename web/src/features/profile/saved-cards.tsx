import type { SavedCard } from '@lendtools/contracts';
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { errorMessage } from '../../api/error-message.ts';
import { useRemoveCardMutation, useSavedCardsQuery } from '../../api/saved-cards-api.ts';
import { cardName, expiryOf } from '../../ui/card-words.ts';
import { confirm } from '../../ui/confirm.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';

function CardLine({ userId, card }: { userId: string; card: SavedCard }) {
  const [removeCard, { isLoading }] = useRemoveCardMutation();
  const remove = async () => {
    const agreed = await confirm('You can enter it again when you pay.', {
      title: `Remove ${cardName(card)}?`,
      confirm: 'Remove card',
    });
    if (!agreed) return;
    const { data, error } = await removeCard({ userId, cardId: card.id });
    if (data) toastSuccess(data.message);
    else toastError(errorMessage(error));
  };
  return (
    <Group component="li" justify="space-between" wrap="nowrap">
      <div>
        <Text fw={600}>{cardName(card)}</Text>
        <Text size="sm" c="dimmed">
          {expiryOf(card)}
        </Text>
      </div>
      <Button
        variant="default"
        size="sm"
        flex="none"
        aria-label={`Remove ${cardName(card)}`}
        loading={isLoading}
        onClick={() => void remove()}
      >
        Remove
      </Button>
    </Group>
  );
}

export function SavedCards({ userId }: { userId: string }) {
  const { data: cards, error, refetch } = useSavedCardsQuery(userId);
  return (
    <Stack component="section" aria-labelledby="saved-cards" maw={680} mt={48} gap="sm">
      <Title order={2} size="h3" id="saved-cards">
        Saved cards
      </Title>
      <Text c="dimmed">
        {cards?.length === 0
          ? 'None yet. When you pay, you can save the card for next time.'
          : 'Stripe keeps them for your next booking. We store nothing of a card.'}
      </Text>
      {!cards && !error && <Skeleton h={48} aria-hidden />}
      {!cards && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {cards && cards.length > 0 && (
        <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
          {cards.map((card) => (
            <CardLine key={card.id} userId={userId} card={card} />
          ))}
        </Stack>
      )}
    </Stack>
  );
}
