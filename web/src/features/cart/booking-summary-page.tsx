import type { Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { timeInWords } from '@lendtools/contracts/rental-period';
import { Alert, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconMapRoute } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { useToolQuery } from '../../api/tool-api.ts';
import { type BookingDraft, readDraft, writeDraft } from '../../rental/booking-draft.ts';
import { countedPrice, periodLabel } from '../../rental/booking-price.ts';
import {
  checkDraft,
  completeDraft,
  endTimes,
  needsTimes,
  type Quote,
  quoteDraft,
  startTimes,
  suggestTimes,
} from '../../rental/booking-rules.ts';
import { formatDay, formatMoney } from '../../rental/format.ts';
import { CancellationTerms } from '../../ui/cancellation-terms.tsx';
import { BackLink } from '../../ui/page-header.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { Price } from '../../ui/price.tsx';
import { ToolPicture } from '../../ui/tool/tool-picture.tsx';
import { useAccountDialog } from '../../ui/use-account-dialog.tsx';
import { TimeSelect } from '../../ui/when/time-select.tsx';
import { drawBookingCode } from './booking-code.ts';
import classes from './booking-summary.module.css';
import { type CartItem, itemAdded } from './cart-slice.ts';

interface SummaryProps {
  tool: Tool;
  draft: BookingDraft;
  quote: Quote;
  /** True if the URL has no times, so that the user must choose them here. */
  choosesTimes: boolean;
  onChange: (draft: BookingDraft) => void;
}

function toCartItem({
  tool,
  draft,
  quote,
}: Pick<SummaryProps, 'tool' | 'draft' | 'quote'>): CartItem {
  const { id, name, description, price, cover_image, rental_circle, userId, user } = tool;
  const place = `${user.city}, ${user.state}`;
  return {
    id,
    name,
    description,
    price,
    cover_image,
    rental_circle,
    discounts: tool.terms?.discounts,
    cancellation: tool.terms?.cancellation,
    timeZone: tool.timeZone,
    onRequest: tool.terms?.booking === 'request',
    ...draft,
    booking_code: drawBookingCode(),
    period: quote.period,
    paymentDue: quote.total,
    totalPrice: quote.total,
    address: place,
    toolOwnerId: userId,
    toolOwnerAddress: user.address ?? place,
    toolOwnerName: user.first_name,
  };
}

function When({ label, date, time }: { label: string; date: string; time: string }) {
  return (
    <div className={classes.when}>
      <dt>{label}</dt>
      <dd>
        {formatDay(date)}
        {time && <span>{timeInWords(time)}</span>}
      </dd>
    </div>
  );
}

function Times({ tool, draft, onChange }: Omit<SummaryProps, 'quote' | 'choosesTimes'>) {
  const change = (times: Partial<BookingDraft>) =>
    onChange(suggestTimes(tool, { ...draft, ...times }));
  return (
    <div className={classes.times}>
      <TimeSelect
        label="Start time"
        value={draft.start_time}
        times={startTimes(tool, draft.start_date)}
        onChange={(start_time) => change({ start_time })}
      />
      <TimeSelect
        label="Returning time"
        value={draft.end_time}
        times={endTimes(tool, draft)}
        onChange={(end_time) => change({ end_time })}
      />
    </div>
  );
}

function Facts({ tool, draft, quote, onChange, choosesTimes }: SummaryProps) {
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
        {choosesTimes && <Times tool={tool} draft={draft} onChange={onChange} />}
      </div>
    </article>
  );
}

function Payment(props: SummaryProps) {
  const { tool, draft, quote } = props;
  const isMember = useUser() !== null;
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const isAdded = useRef(false);
  const [leaving, setLeaving] = useState(false);
  const addToCart = () => {
    // Ignore a second press: it would add another unit while the cart page loads.
    if (isAdded.current) return;
    isAdded.current = true;
    setLeaving(true);
    dispatch(itemAdded(toCartItem(props), tool.quantity));
    void navigate(paths.memberCart);
  };
  const account = useAccountDialog({ onLoggedIn: addToCart });
  return (
    <aside className={classes.payment} aria-label="Payment">
      <Group justify="space-between" align="baseline">
        <Text fw={650}>Payment due</Text>
        <Text fz="1.75rem" fw={750} className="tabular">
          {formatMoney(quote.total)}
        </Text>
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        {countedPrice(tool.rental_circle, {
          price: tool.price,
          period: quote.period,
          quantity: draft.quantity,
        })}
        {quote.percent > 0 && `, ${quote.percent}% off for a longer rental`}
      </Text>
      <Button
        {...(!isMember && account.button)}
        size="lg"
        fullWidth
        onClick={isMember ? addToCart : account.open}
        loading={leaving}
      >
        ADD TO CART
      </Button>
      {tool.terms?.booking === 'request' && (
        <Text size="sm" mt="sm">
          You are charged only if {tool.user.first_name} accepts.
        </Text>
      )}
      <div className={classes.terms}>
        <CancellationTerms policy={tool.terms?.cancellation} tool={tool} draft={draft} />
      </div>
      {account.dialog}
      {!isMember && (
        <Group gap="xs" mt="md" c="dimmed" wrap="nowrap">
          <IconMapRoute size={20} aria-hidden />
          <Text size="sm">Google Direction Map Request</Text>
        </Group>
      )}
    </aside>
  );
}

function problemOf(tool: Tool, draft: BookingDraft, isMember: boolean): string {
  const [first = ''] = Object.values(checkDraft(tool, draft, needsTimes(tool, isMember)));
  return first;
}

function ChooseAgain({ problem, to, label }: { problem: string; to: string; label: string }) {
  return (
    <Alert color="orange" title="Please choose your dates">
      <Text>{problem}</Text>
      <Button component={Link} to={to} size="sm" mt="sm">
        {label}
      </Button>
    </Alert>
  );
}

function ToolSummary({
  tool,
  typed,
  toolPath,
}: {
  tool: Tool;
  typed: BookingDraft;
  toolPath: string;
}) {
  const isMember = useUser() !== null;
  const [chosen, setChosen] = useState(() => {
    // Limit the quantity: the URL may contain more units than the tool has.
    const quantity = Math.min(typed.quantity, tool.quantity);
    return { ...typed, quantity };
  });
  // A visitor who logs in here gets the usual times.
  const draft = completeDraft(tool, chosen, isMember);
  const quote = quoteDraft(tool, draft);
  const problem = problemOf(tool, draft, isMember);
  if (!quote || problem)
    return <ChooseAgain problem={problem} to={toolPath} label="Choose dates" />;
  const choosesTimes = needsTimes(tool, isMember) && !(typed.start_time && typed.end_time);
  const summary = { tool, draft, quote, choosesTimes, onChange: setChosen };
  return (
    <div className={classes.columns}>
      <Facts {...summary} />
      <Payment {...summary} />
    </div>
  );
}

export default function BookingSummaryPage() {
  const [params] = useSearchParams();
  const isMember = useUser() !== null;
  const id = params.get('id') ?? '';
  const typed = readDraft(params);
  const { data: tool, error, refetch } = useToolQuery(id, { skip: !id });
  const toolPath = `${isMember ? paths.memberTool : paths.tool}?${writeDraft(id, typed)}`;
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
      {!id && (
        <ChooseAgain
          problem="Find a tool first, and choose your dates on its page."
          to={isMember ? paths.dashboard : paths.browse}
          label="Browse tools"
        />
      )}
      {tool && <ToolSummary key={tool.id} tool={tool} typed={typed} toolPath={toolPath} />}
    </div>
  );
}
