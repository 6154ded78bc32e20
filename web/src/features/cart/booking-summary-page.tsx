import type { Tool } from '@lendtools/contracts';
import { Alert, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconMapRoute } from '@tabler/icons-react';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { useToolQuery } from '../../api/tool-api.ts';
import { drawBookingCode } from '../../lib/booking-code.ts';
import { type BookingDraft, readDraft, writeDraft } from '../../lib/booking-draft.ts';
import { periodLabel } from '../../lib/booking-price.ts';
import { type Quote, quoteDraft } from '../../lib/booking-rules.ts';
import { formatDay, formatMoney } from '../../lib/format.ts';
import { loginAddress } from '../../lib/return-address.ts';
import { BackLink } from '../../ui/page-header.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { Price } from '../../ui/price.tsx';
import { ToolPicture } from '../../ui/tool-picture.tsx';
import classes from './booking-summary.module.css';
import { type CartItem, itemAdded } from './cart-slice.ts';

interface SummaryProps {
  tool: Tool;
  draft: BookingDraft;
  quote: Quote;
}

function toCartItem({ tool, draft, quote }: SummaryProps): CartItem {
  const { id, name, description, price, cover_image, rental_circle, userId, user } = tool;
  const place = `${user.city}, ${user.state}`;
  return {
    id,
    name,
    description,
    price,
    cover_image,
    rental_circle,
    ...draft,
    booking_code: drawBookingCode(),
    period: quote.period,
    paymentDue: quote.total,
    totalPrice: quote.total,
    address: place,
    toolOwnerId: userId,
    toolOwnerAddress: user.address ?? place,
  };
}

function When({ label, date, time }: { label: string; date: string; time: string }) {
  return (
    <div className={classes.when}>
      <dt>{label}</dt>
      <dd>
        {formatDay(date)}
        {time && <span>{time}</span>}
      </dd>
    </div>
  );
}

function Facts({ tool, draft, quote }: SummaryProps) {
  return (
    <article className={classes.facts}>
      <ToolPicture tool={tool} eager className={classes.picture} />
      <div>
        <Title order={2} fz="h3">
          {tool.name}
        </Title>
        <Price amount={tool.price} circle={tool.rental_circle} />
        <dl className={classes.list}>
          <When label="Start date" date={draft.start_date} time={draft.start_time} />
          <When label="Returning date" date={draft.end_date} time={draft.end_time} />
          <div className={classes.when}>
            <dt>{periodLabel(tool.rental_circle)}</dt>
            <dd>{quote.period}</dd>
          </div>
          <div className={classes.when}>
            <dt>Quantity</dt>
            <dd>{draft.quantity}</dd>
          </div>
        </dl>
      </div>
    </article>
  );
}

/** A visitor is told why it stops here; both ways on lead back to this very summary. */
function AccountNeeded({ next }: { next: string }) {
  return (
    <Alert color="orange" role="alert">
      <Text fw={550}>You need to have an account or sign-in to make booking.</Text>
      <Group gap="xs" mt="sm">
        <Button component={Link} to={loginAddress(next)} size="sm">
          Login
        </Button>
        <Button
          component={Link}
          to={`/create-account?next=${encodeURIComponent(next)}`}
          size="sm"
          variant="default"
        >
          Create An Account
        </Button>
      </Group>
    </Alert>
  );
}

function Payment(props: SummaryProps) {
  const { tool, draft, quote } = props;
  const isMember = useUser() !== null;
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const [refused, setRefused] = useState(false);
  const addToCart = () => {
    if (!isMember) return setRefused(true);
    dispatch(itemAdded(toCartItem(props)));
    void navigate('/user/cart');
  };
  return (
    <aside className={classes.payment} aria-label="Payment">
      <Group justify="space-between" align="baseline">
        <Text fw={650}>Payment due</Text>
        <Text fz="1.75rem" fw={750} className="tabular">
          {formatMoney(quote.total)}
        </Text>
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        {formatMoney(tool.price)} × {quote.period} {periodLabel(tool.rental_circle).toLowerCase()} ×{' '}
        {draft.quantity}
      </Text>
      <Button size="lg" fullWidth onClick={addToCart}>
        ADD TO CART
      </Button>
      {refused && (
        <div className={classes.refused}>
          <AccountNeeded next={`/user/rental-booking-summary?${writeDraft(tool.id, draft)}`} />
        </div>
      )}
      {!isMember && (
        <Group gap="xs" mt="md" c="dimmed" wrap="nowrap">
          <IconMapRoute size={20} aria-hidden />
          <Text size="sm">Google Direction Map Request</Text>
        </Group>
      )}
    </aside>
  );
}

/** What was chosen on the tool page, read back from the address, before it goes into the cart. */
export function Component() {
  const [params] = useSearchParams();
  const isMember = useUser() !== null;
  const id = params.get('id') ?? '';
  const draft = readDraft(params);
  const { data: tool, error, refetch } = useToolQuery(id, { skip: !id });
  const quote = tool && quoteDraft(tool, draft);
  const toolPath = `${isMember ? '/user' : ''}/rental-details?${writeDraft(id, draft)}`;
  const nextStep = id
    ? { to: toolPath, label: 'Choose dates' }
    : { to: isMember ? '/user/user-dashboard' : '/home', label: 'Browse tools' };
  return (
    <div className={`page-width ${classes.page}`}>
      <title>Booking summary · LendTools</title>
      {id && (
        <BackLink to={toolPath} mb="sm">
          Change dates or quantity
        </BackLink>
      )}
      <Title order={1} fz="2rem" mb="lg">
        Booking summary
      </Title>
      {error && !tool && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!tool && !error && id && (
        <Stack aria-busy>
          <Text role="status" c="dimmed">
            loading data
          </Text>
          <Skeleton h={240} radius={20} />
        </Stack>
      )}
      {(tool && !quote) || !id ? (
        <Alert color="orange" title="The dates are missing">
          <Text>Please choose a start and a returning date on the tool’s page first.</Text>
          <Button component={Link} to={nextStep.to} size="sm" mt="sm">
            {nextStep.label}
          </Button>
        </Alert>
      ) : null}
      {tool && quote && (
        <div className={classes.columns}>
          <Facts tool={tool} draft={draft} quote={quote} />
          <Payment tool={tool} draft={draft} quote={quote} />
        </div>
      )}
    </div>
  );
}
