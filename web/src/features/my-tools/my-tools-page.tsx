import type { Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core';
import { IconCalendar, IconPlus, IconTools } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useCategoriesQuery } from '../../api/categories-api.ts';
import { errorMessage } from '../../api/error-message.ts';
import {
  relistedText,
  usePauseToolMutation,
  useRelistToolMutation,
} from '../../api/relist-tool.ts';
import { useUser } from '../../api/session-slice.ts';
import { earnedInWords } from '../../rental/earnings-in-words.ts';
import { formatCents } from '../../rental/format.ts';
import { shortId } from '../../rental/format-instant.ts';
import { confirm } from '../../ui/confirm.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/page-states.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { PayoutState } from '../../ui/payouts/payout-state.tsx';
import { Price } from '../../ui/price.tsx';
import type { Column } from '../../ui/responsive-table.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { ToolPicture } from '../../ui/tool/tool-picture.tsx';
import classes from './my-tools.module.css';
import {
  useDeleteToolMutation,
  useEarningsQuery,
  useMyToolsInfiniteQuery,
} from './my-tools-api.ts';

/** Shows what a tool has earned, less the commission. All cells of the column share one request. */
function Earned({ tool }: { tool: Tool }) {
  const { data, error } = useEarningsQuery(useUser()?.id ?? '');
  if (!data) return error ? <>–</> : <Skeleton h={16} w={56} display="inline-block" />;
  const sums = data.tools.find(({ rental_id }) => rental_id === tool.id);
  return (
    <span className="tabular">
      {formatCents(sums ? sums.earnedCents - (sums.earnedFeeCents ?? 0) : 0)}
      {sums && sums.toComeCents > 0 && (
        <Text span display="block" size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {formatCents(sums.toComeCents - (sums.toComeFeeCents ?? 0))} to come
        </Text>
      )}
    </span>
  );
}

function Total({ userId }: { userId: string }) {
  const { data } = useEarningsQuery(userId);
  if (!data || data.total.earnedCents + data.total.toComeCents === 0) return null;
  const { earnedCents, earnedFeeCents = 0, toComeCents, toComeFeeCents = 0 } = data.total;
  const hasFees = earnedFeeCents + toComeFeeCents > 0;
  return (
    <Text size="sm" c="dimmed" mt="md">
      Earned so far:{' '}
      <strong className="tabular">{earnedInWords(earnedCents, earnedFeeCents)}</strong>
      {toComeCents > 0 &&
        `, and ${earnedInWords(toComeCents, toComeFeeCents)} from rentals that have not started`}
      . That is what renters paid, minus refunds{hasFees && ' and our commission'}.{' '}
      <Anchor component={Link} to={paths.earnings} inherit underline="always">
        See when you are paid
      </Anchor>
    </Text>
  );
}

const columns: Column<Tool>[] = [
  {
    title: 'Tool Id',
    cell: ({ id }) => (
      <Text span size="xs" c="dimmed" className="tabular" title={id}>
        {shortId(id)}
      </Text>
    ),
  },
  {
    title: 'Tool Category',
    cell: ({ category }) => category.name,
    sortBy: ({ category }) => category.name,
  },
  {
    title: 'Name',
    cell: (tool) => (
      <span className={classes.name}>
        <ToolPicture tool={tool} className={classes.thumbnail} sizes="64px" />
        {tool.name}
      </span>
    ),
    sortBy: ({ name }) => name.toLowerCase(),
    main: true,
  },
  {
    title: 'Status',
    cell: ({ item_status, hiddenReason }) => (
      <StatusBadge status={hiddenReason === undefined ? item_status : 'Hidden by LendTools'} />
    ),
    sortBy: ({ item_status }) => item_status,
  },
  {
    title: 'Price',
    cell: ({ price, rental_circle }) => <Price amount={price} circle={rental_circle} />,
    sortBy: ({ price }) => price,
  },
  { title: 'Earned', cell: (tool) => <Earned tool={tool} /> },
];

function useToolActions(tool: Tool) {
  const [relist, relisting] = useRelistToolMutation();
  const [pause, pausing] = usePauseToolMutation();
  const [remove, removing] = useDeleteToolMutation();
  const relistTool = async () => {
    const { error } = await relist(tool.id);
    if (error) return toastError(errorMessage(error));
    toastSuccess(relistedText);
  };
  const pauseTool = async () => {
    const question =
      'Nobody can find or book this tool until you re-list it. Your existing bookings stay as they are.';
    if (!(await confirm(question, { title: `Pause ${tool.name}?`, confirm: 'Pause' }))) return;
    const { data, error } = await pause(tool.id);
    if (error) return toastError(errorMessage(error));
    toastSuccess(data.message);
  };
  const deleteTool = async () => {
    const question = 'Are you sure you want to delete this tool?';
    if (!(await confirm(question, { title: tool.name, confirm: 'Delete' }))) return;
    const { error } = await remove(tool.id);
    if (error) return toastError(errorMessage(error, 'Failed to delete tool'));
    toastSuccess('Tool deleted successfully');
  };
  return {
    relist: { run: () => void relistTool(), isLoading: relisting.isLoading },
    pause: { run: () => void pauseTool(), isLoading: pausing.isLoading },
    remove: { run: () => void deleteTool(), isLoading: removing.isLoading },
  };
}

function ToolActions({ tool }: { tool: Tool }) {
  const { relist, pause, remove } = useToolActions(tool);
  return (
    <Group gap={6} justify="flex-end" className={classes.actions}>
      <Button
        component={Link}
        to={paths.ofId(paths.editTool, tool.id)}
        variant="light"
        size="sm"
        px="sm"
        aria-label={`Edit ${tool.name}`}
      >
        Edit
      </Button>
      {tool.item_status === 'Unavailable' && tool.hiddenReason === undefined && (
        <Button
          variant="default"
          size="sm"
          px="sm"
          loading={relist.isLoading}
          onClick={relist.run}
          aria-label={`Re-list ${tool.name}`}
        >
          Re-list
        </Button>
      )}
      {tool.item_status === 'Available' && (
        <Button
          variant="default"
          size="sm"
          px="sm"
          loading={pause.isLoading}
          onClick={pause.run}
          aria-label={`Pause ${tool.name}`}
        >
          Pause
        </Button>
      )}
      <Button
        variant="subtle"
        color="red"
        size="sm"
        px="sm"
        loading={remove.isLoading}
        onClick={remove.run}
        aria-label={`Delete ${tool.name}`}
      >
        Delete
      </Button>
    </Group>
  );
}

/** Uses the current category names: renaming a category pushes no update of its tools. */
function useCategoryOfNow(): (tool: Tool) => Tool {
  const { data: categories } = useCategoriesQuery();
  return (tool) => ({
    ...tool,
    category: categories?.find(({ id }) => id === tool.categoryId) ?? tool.category,
  });
}

export default function MyToolsPage() {
  const userId = useUser()?.id ?? '';
  const withCategoryOfNow = useCategoryOfNow();
  const addButton = (
    <Group gap="sm">
      <Button
        component={Link}
        to={paths.myCalendar}
        variant="default"
        leftSection={<IconCalendar size={18} aria-hidden />}
      >
        Calendar
      </Button>
      <Button component={Link} to={paths.addTool} leftSection={<IconPlus size={18} aria-hidden />}>
        Add New Rental
      </Button>
    </Group>
  );
  return (
    <>
      <PageHeader title="My Tools" intro="What you lend to your neighbors." action={addButton} />
      <PagedTable
        label="Your tools"
        pages={useMyToolsInfiniteQuery(userId)}
        rowsOf={({ rentals }) => rentals.map(withCategoryOfNow)}
        columns={columns}
        rowKey={({ id }) => id}
        actions={(tool) => <ToolActions tool={tool} />}
        empty={
          <EmptyState icon={IconTools} title="You have not listed a tool yet">
            Something in your shed that you use twice a year? Press “Add New Rental” and a neighbor
            can borrow it this weekend.
          </EmptyState>
        }
      />
      <Total userId={userId} />
      <PayoutState userId={userId} />
    </>
  );
}
