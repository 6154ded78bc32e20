import type { PayoutAccount } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import {
  Alert,
  Anchor,
  Button,
  Group,
  List,
  Loader,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { IconBuildingBank, IconCircleCheck, IconExternalLink } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { errorMessage } from '../../api/error-message.ts';
import {
  useCreatePayoutLinkMutation,
  usePayoutAccountQuery,
} from '../../api/payout-account-api.ts';
import { useUser } from '../../api/session-slice.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { payoutWords } from '../../ui/payouts/payout-words.ts';

const pollMs = 3_000;
/** Stripe's webhook mostly arrives within seconds after the owner's return. */
const expectChangeMs = 30_000;

/** Opens a new link to Stripe, because each works once. */
function useStripe(userId: string) {
  const [create, { isLoading, data, error, reset }] = useCreatePayoutLinkMutation();
  const open = useCallback(async () => {
    const link = await create(userId);
    if (link.data) window.location.assign(link.data.url);
  }, [create, userId]);
  useEffect(() => {
    // Back from Stripe, the browser may show this page as it was left.
    const comeBack = (event: PageTransitionEvent) => event.persisted && reset();
    window.addEventListener('pageshow', comeBack);
    return () => window.removeEventListener('pageshow', comeBack);
  }, [reset]);
  return { open, isOpening: isLoading || data !== undefined, error };
}

/** The account; read again for a while after the owner's return from Stripe. */
function useAccount(userId: string, isReturn: boolean) {
  const [isExpecting, setIsExpecting] = useState(isReturn);
  const [pollingInterval, setPollingInterval] = useState(0);
  const query = usePayoutAccountQuery(userId, { refetchOnMountOrArgChange: true, pollingInterval });
  const isDecided = query.data?.state === 'ready' || query.data?.needsInformation === true;
  const isWaiting = isExpecting && !isDecided;
  useEffect(() => {
    setPollingInterval(isWaiting ? pollMs : 0);
    if (!isWaiting) return undefined;
    const end = setTimeout(() => setIsExpecting(false), expectChangeMs);
    return () => clearTimeout(end);
  }, [isWaiting]);
  return { ...query, isWaiting };
}

function Before() {
  return (
    <>
      <List size="sm">
        <List.Item>Stripe asks for your name, address, date of birth and bank account.</List.Item>
        <List.Item>It takes about five minutes, and you can continue later.</List.Item>
        <List.Item>You can lend before: what you earn waits for you.</List.Item>
      </List>
      <Text size="sm" c="dimmed">
        Stripe stores your bank account and your identity. LendTools never gets them.
      </Text>
    </>
  );
}

interface StatusProps {
  account: PayoutAccount;
  isWaiting: boolean;
  stripe: ReturnType<typeof useStripe>;
}

function Status({ account, isWaiting, stripe }: StatusProps) {
  const { title, text, step, isOpen } = payoutWords(account);
  const Icon = account.state === 'ready' && !isOpen ? IconCircleCheck : IconBuildingBank;
  return (
    <Stack gap="md" maw={560} align="flex-start">
      <Stack gap={4} aria-live="polite">
        <Group gap="xs" wrap="nowrap">
          <Icon size={28} stroke={1.6} aria-hidden style={{ flex: 'none' }} />
          <Title order={2} size="h3">
            {title}
          </Title>
        </Group>
        <Text>{text}</Text>
      </Stack>
      {isWaiting && (
        <Group gap="xs" role="status">
          <Loader size="xs" aria-hidden />
          <Text size="sm">Waiting for news from Stripe…</Text>
        </Group>
      )}
      {account.isHeld && (
        <Alert color="orange" title="Your payouts are on hold">
          Please contact us. Your bookings go on as usual.
        </Alert>
      )}
      {account.state === 'not-started' && <Before />}
      {stripe.error && (
        <Alert color="red" role="alert" title="Stripe could not be opened">
          {errorMessage(stripe.error)}
        </Alert>
      )}
      <Button
        size="lg"
        variant={isOpen ? 'filled' : 'default'}
        loading={stripe.isOpening}
        onClick={() => void stripe.open()}
        rightSection={<IconExternalLink size={18} aria-hidden />}
      >
        {step}
      </Button>
      <Anchor component={Link} to={paths.earnings}>
        See your earnings
      </Anchor>
    </Stack>
  );
}

/** Stripe leads back here: with `from=stripe` from the onboarding, with `from=expired-link` from a link that was used. */
export default function GetPaidPage() {
  const userId = useUser()?.id ?? '';
  const from = useSearchParams()[0].get('from');
  const { data: account, error, refetch, isWaiting } = useAccount(userId, from === 'stripe');
  const stripe = useStripe(userId);
  const { open } = stripe;
  const hasOpened = useRef(false);
  useEffect(() => {
    if (from !== 'expired-link' || hasOpened.current) return;
    hasOpened.current = true;
    void open();
  }, [from, open]);
  return (
    <>
      <PageHeader
        title="Get paid"
        intro="Your payouts are handled by Stripe."
        back={{ to: paths.myTools, label: 'My Tools' }}
      />
      {account && <Status account={account} isWaiting={isWaiting} stripe={stripe} />}
      {!account && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!account && !error && (
        <Stack maw={560} role="status" aria-label="Loading your payouts">
          <Skeleton h={32} w={280} />
          <Skeleton h={24} />
          <Skeleton h={50} w={220} />
        </Stack>
      )}
    </>
  );
}
