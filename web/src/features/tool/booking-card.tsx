import type { Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useState, useTransition } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { useBackCloses } from '../../lib/use-back-closes.ts';
import { whenNear } from '../../lib/when-near.ts';
import { type BookingDraft, readDraft } from '../../rental/booking-draft.ts';
import { Part } from '../../ui/part.tsx';
import { Price } from '../../ui/price.tsx';
import { RatingStars } from '../../ui/rating-stars.tsx';
import classes from './booking-card.module.css';

async function loadForm() {
  return { default: (await import('./booking-form.tsx')).BookingForm };
}

const BookingForm = lazy(loadForm);

function loadSheet() {
  return import('./booking-sheet.tsx');
}

const BookingSheet = lazy(loadSheet);
const ChosenBar = lazy(() => import('./chosen-bar.tsx'));
const WhenFree = lazy(() => import('./when-free.tsx'));

function NotBookable({ tool, own }: { tool: Tool; own: boolean }) {
  return own ? (
    <Button component={Link} to={paths.ofId(paths.editTool, tool.id)} size="lg" fullWidth>
      Edit your tool
    </Button>
  ) : (
    <div className={classes.away}>
      <Text fw={650}>Not available right now</Text>
      <Part>
        <WhenFree tool={tool} />
      </Part>
      {tool.user.first_name} has not put it back on offer yet. Other neighbors may have one like it.
    </div>
  );
}

function BarPrice({ tool }: { tool: Tool }) {
  return (
    <div>
      <Price
        amount={tool.price}
        circle={tool.rental_circle}
        fz="1.25rem"
        lh={1.25}
        // Let the period wrap below the amount on a narrow screen.
        style={{ whiteSpace: 'normal' }}
      />
      {tool.terms?.booking === 'request' && <div className={classes.barNote}>On request</div>}
    </div>
  );
}

/** A sticky card or, on a phone, a bottom bar that opens the booking form. */
export function BookingCard({ tool }: { tool: Tool }) {
  const [params] = useSearchParams();
  const user = useUser();
  const [chosen, setChosen] = useState<BookingDraft | null>(null);
  const [opened, { open, close }] = useDisclosure();
  useBackCloses(opened, close);
  const wide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  const own = user?.id === tool.userId;
  const bookable = tool.item_status === 'Available' && !own;
  const [isOpening, startOpening] = useTransition();
  const [wasOpened, setWasOpened] = useState(false);
  const form = { tool, chosen, onChange: setChosen };
  // A transition keeps the current button, faded, on the screen until the sheet's code has loaded.
  const openSheet = () =>
    startOpening(() => {
      setWasOpened(true);
      open();
    });

  if (wide) {
    return (
      <aside className={classes.card} aria-label="Book this tool">
        <Group justify="space-between" mb="md">
          <Price amount={tool.price} circle={tool.rental_circle} fz="1.625rem" />
          <RatingStars value={tool.rating} compact />
        </Group>
        {bookable ? (
          <Part waiting={<Skeleton h={320} />}>
            <BookingForm {...form} />
          </Part>
        ) : (
          <NotBookable tool={tool} own={own} />
        )}
      </aside>
    );
  }
  if (!bookable) return <NotBookable tool={tool} own={own} />;
  const { start_date, end_date } = chosen ?? readDraft(params);
  const hasDates = Boolean(start_date && end_date);
  const choose = (
    <>
      <BarPrice tool={tool} />
      <Button
        {...whenNear(loadSheet)}
        size="md"
        onClick={openSheet}
        // Not `loading`, which disables the button: it would lose the focus, which must return when the sheet closes.
        aria-busy={isOpening || undefined}
        opacity={isOpening ? 0.7 : undefined}
        flex="none"
      >
        Choose dates
      </Button>
    </>
  );
  return (
    <aside aria-label="Book this tool">
      <div className={classes.bar}>
        {hasDates ? (
          <Suspense fallback={<BarPrice tool={tool} />}>
            <ChosenBar tool={tool} chosen={chosen} onEdit={openSheet} />
          </Suspense>
        ) : (
          choose
        )}
      </div>
      <Part>{wasOpened && <BookingSheet {...form} opened={opened} onClose={close} />}</Part>
    </aside>
  );
}
