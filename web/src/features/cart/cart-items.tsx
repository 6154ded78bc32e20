import * as paths from '@lendtools/contracts/pages';
import { timeInWords } from '@lendtools/contracts/rental-period';
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useDispatch } from 'react-redux';
import { Link } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { periodLabel } from '../../rental/booking-price.ts';
import { formatDay, formatMoney } from '../../rental/format.ts';
import { Price } from '../../ui/price.tsx';
import { ToolPicture } from '../../ui/tool/tool-picture.tsx';
import classes from './cart.module.css';
import { type CartItem, itemRemoved, lineKey } from './cart-slice.ts';
import { EditLine } from './edit-line.tsx';

/** Formats a date and a time with non-breaking spaces, so that a line breaks only between start and end. */
function moment(date: string, time: string) {
  return `${formatDay(date)}${time ? `, ${timeInWords(time)}` : ''}`.replaceAll(' ', '\u00a0');
}

function lineDates(item: CartItem) {
  return `${moment(item.start_date, item.start_time)}\u00a0– ${moment(item.end_date, item.end_time)}`;
}

const action = { variant: 'subtle', color: 'gray', size: 'compact-md' } as const;

interface CartLineProps {
  item: CartItem;
  problem: string | undefined;
  locked: boolean;
}

function CartLine({ item, problem, locked }: CartLineProps) {
  const dispatch = useDispatch();
  const line = useRef<HTMLLIElement>(null);
  const [editing, { open, close }] = useDisclosure();
  const toolPath = paths.ofId(useUser() ? paths.memberTool : paths.tool, item.id);
  useEffect(() => {
    // On a phone PAY is far below the list, so bring the line with the problem into view.
    if (problem) line.current?.scrollIntoView({ block: 'center' });
  }, [problem]);
  return (
    <li ref={line} className={classes.item} data-problem={Boolean(problem) || undefined}>
      <ToolPicture tool={item} className={classes.picture} sizes="160px" eager />
      <div>
        <Text fw={650}>
          <Link to={toolPath} className={classes.name}>
            {item.name}
          </Link>
        </Text>
        <Text size="sm" c="dimmed">
          {[`Lent by ${item.toolOwnerName}`, item.address].filter(Boolean).join(' · ')}
        </Text>
        <Price amount={item.price} circle={item.rental_circle} />
        {item.onRequest && (
          <Text size="sm" fw={550}>
            On request: {item.toolOwnerName} is asked first
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {lineDates(item)}
        </Text>
        <dl className={classes.facts}>
          <dt>{periodLabel(item.rental_circle)}</dt>
          <dd>{item.period}</dd>
          <dt>Quantity</dt>
          <dd>{item.quantity}</dd>
          <dt className={classes.due}>Payment due</dt>
          <dd className={`${classes.due} tabular`}>{formatMoney(item.totalPrice)}</dd>
        </dl>
        <Group gap={4} mt={4} ml={-8}>
          <Button
            {...action}
            leftSection={<IconPencil size={16} aria-hidden />}
            disabled={locked}
            onClick={open}
            aria-label={`Edit ${item.name}`}
          >
            Edit
          </Button>
          <Button
            {...action}
            leftSection={<IconTrash size={16} aria-hidden />}
            disabled={locked}
            onClick={() => dispatch(itemRemoved(lineKey(item)))}
            aria-label={`Remove ${item.quantity > 1 ? 'one ' : ''}${item.name}`}
          >
            {item.quantity > 1 ? 'Remove one' : 'Remove'}
          </Button>
        </Group>
        <EditLine item={item} opened={editing} onClose={close} />
      </div>
      {problem && <div className={classes.problem}>{problem}</div>}
    </li>
  );
}

interface CartItemsProps {
  items: CartItem[];
  problem: { text: string; line?: number } | null;
  /** True during a payment, when the cart can't be changed. */
  locked: boolean;
}

export function CartItems({ items, problem, locked }: CartItemsProps) {
  return (
    <ul className={classes.items} aria-label="In your cart">
      {items.map((item, index) => (
        <CartLine
          key={lineKey(item)}
          item={item}
          locked={locked}
          problem={problem?.line === index ? problem.text : undefined}
        />
      ))}
    </ul>
  );
}
