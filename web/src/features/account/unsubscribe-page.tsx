import type { Topic } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { topicWords } from '@lendtools/contracts/topic-words';
import { Alert, Anchor, Button, Stack } from '@mantine/core';
import { Link, useSearchParams } from 'react-router-dom';
import { errorMessage } from '../../api/error-message.ts';
import { FormError } from '../../ui/form-error.tsx';
import { useUnsubscribeMutation } from './account-api.ts';
import { AccountCard } from './account-card.tsx';

/** The topic is the second part of the token. */
function topicOf(token: string): Topic | undefined {
  return (Object.keys(topicWords) as Topic[]).find((topic) => topic === token.split('.')[1]);
}

/** The page that the link in an email's footer opens. Needs a button press, because mail scanners open links. */
export default function UnsubscribePage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const topic = topicOf(token);
  const [unsubscribe, { isLoading, data, error }] = useUnsubscribeMutation();
  return (
    <AccountCard
      title="Fewer emails"
      intro={topic && !data && `Do you want to stop our emails about ${topicWords[topic]}?`}
    >
      <Stack gap="md">
        {data ? (
          <Alert color="green" role="status">
            You get no more emails about {topicWords[data.topic]}.
          </Alert>
        ) : (
          <>
            <FormError>{error && errorMessage(error)}</FormError>
            <Button
              size="lg"
              loading={isLoading}
              disabled={!token}
              onClick={() => void unsubscribe(token)}
            >
              Stop these emails
            </Button>
          </>
        )}
        <Anchor component={Link} to={paths.preferences}>
          Choose all your emails
        </Anchor>
      </Stack>
    </AccountCard>
  );
}
