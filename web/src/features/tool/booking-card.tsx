import type { Tool } from '@lendtools/contracts';
import { Alert, Button, Drawer, Group } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { readDraft } from '../../lib/booking-draft.ts';
import { completeDraft, quoteDraft } from '../../lib/booking-rules.ts';
import { formatMoney } from '../../lib/format.ts';
import { useBackCloses } from '../../lib/overlay-history.ts';
import { mayWrap, Price } from '../../ui/price.tsx';
import { RatingStars } from '../../ui/rating-stars.tsx';
import classes from './booking-card.module.css';
import { BookingForm } from './booking-form.tsx';

/** What stands in the place of the form when the tool can't be booked by this person. */
function NotBookable({ tool, own }: { tool: Tool; own: boolean }) {
  return own ? (
    <Button component={Link} to={`/user/my-tool-details?id=${tool.id}`} size="lg" fullWidth>
      Edit your tool
    </Button>
  ) : (
    <Alert color="gray" icon={<IconInfoCircle />} title="Not available right now">
      {tool.user.first_name} has not put it back on offer yet. Other neighbors may have one like it.
    </Alert>
  );
}

/** A card that follows the scroll; on a phone a bar at the bottom that opens the same form. */
export function BookingCard({ tool }: { tool: Tool }) {
  const [params] = useSearchParams();
  const user = useUser();
  const [draft, setDraft] = useState(() => completeDraft(tool, readDraft(params), user !== null));
  const [opened, { open, close }] = useDisclosure();
  useBackCloses(opened, close);
  const wide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  const own = user?.id === tool.userId;
  const bookable = tool.item_status === 'Available' && !own;
  const form = <BookingForm tool={tool} draft={draft} onChange={setDraft} calendarOpened={!wide} />;
  const total = quoteDraft(tool, draft)?.total;

  if (wide) {
    return (
      <aside className={classes.card} aria-label="Book this tool">
        <Group justify="space-between" mb="md">
          <Price amount={tool.price} circle={tool.rental_circle} fz="1.625rem" />
          <RatingStars value={tool.rating} compact />
        </Group>
        {bookable ? form : <NotBookable tool={tool} own={own} />}
      </aside>
    );
  }
  if (!bookable) return <NotBookable tool={tool} own={own} />;
  return (
    <aside aria-label="Book this tool">
      <div className={classes.bar}>
        {total === undefined ? (
          <Price
            amount={tool.price}
            circle={tool.rental_circle}
            fz="1.25rem"
            lh={1.25}
            style={mayWrap}
          />
        ) : (
          <strong className={classes.barTotal}>{formatMoney(total)}</strong>
        )}
        <Button size="md" onClick={open} flex="none">
          Choose dates
        </Button>
      </div>
      <Drawer
        opened={opened}
        onClose={close}
        position="bottom"
        title={tool.name}
        classNames={{ content: classes.sheet, body: classes.sheetBody }}
      >
        {form}
      </Drawer>
    </aside>
  );
}
