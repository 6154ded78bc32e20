import type { Tool } from '@lendtools/contracts';
import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { useToolCalendar } from '../../api/availability-api.ts';
import { useToolQuery } from '../../api/tool-api.ts';
import { useBackCloses } from '../../lib/use-back-closes.ts';
import type { BookingDraft } from '../../rental/booking-draft.ts';
import {
  checkDraft,
  type DraftErrors,
  quoteDraft,
  suggestTimes,
} from '../../rental/booking-rules.ts';
import { formatMoney } from '../../rental/format.ts';
import { QuantityField } from '../../ui/fields/quantity-field.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { WhenFields } from '../../ui/when/when-fields.tsx';
import { type CartItem, itemChanged, lineKey } from './cart-slice.ts';

function EditForm({ item, tool, onDone }: { item: CartItem; tool: Tool; onDone: () => void }) {
  const dispatch = useDispatch();
  const { start_date, start_time, end_date, end_time, quantity } = item;
  const [draft, setDraft] = useState<BookingDraft>(() =>
    suggestTimes(tool, { start_date, start_time, end_date, end_time, quantity }),
  );
  const { calendar, onLook } = useToolCalendar(tool, draft);
  const [tried, setTried] = useState(false);
  const quote = quoteDraft(tool, draft);
  const found = checkDraft(tool, draft, true, calendar);
  // Show problems with the chosen dates at once, but missing fields only after an attempt to save.
  const isChosen = Boolean(draft.start_date && draft.end_date);
  const errors: DraftErrors = tried || isChosen ? found : {};
  const save = () => {
    setTried(true);
    if (!quote || Object.keys(found).length > 0) return;
    const { price, rental_circle, timeZone } = tool;
    const { discounts, cancellation } = tool.terms ?? {};
    const onRequest = tool.terms?.booking === 'request';
    const ofTool = { price, rental_circle, timeZone, discounts, cancellation, onRequest };
    const changed = { ...item, ...draft, ...ofTool, period: quote.period };
    dispatch(itemChanged({ key: lineKey(item), item: changed }));
    onDone();
  };
  return (
    <Stack gap="md">
      <WhenFields
        tool={tool}
        draft={draft}
        errors={errors}
        withTimes
        calendar={calendar}
        onLook={onLook}
        onChange={setDraft}
      />
      <QuantityField
        quantity={draft.quantity}
        most={tool.quantity}
        onChange={(next) => setDraft({ ...draft, quantity: next })}
      />
      <Group justify="space-between" aria-live="polite">
        <Text fw={700}>Payment due</Text>
        <Text fw={700} fz="lg" className="tabular">
          {quote ? formatMoney(quote.total) : '–'}
        </Text>
      </Group>
      <Button size="lg" fullWidth onClick={save}>
        Save
      </Button>
    </Stack>
  );
}

interface EditLineProps {
  item: CartItem;
  opened: boolean;
  onClose: () => void;
}

export function EditLine({ item, opened, onClose }: EditLineProps) {
  const { data: tool, error, refetch } = useToolQuery(item.id, { skip: !opened });
  useBackCloses(opened, onClose);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={item.name}
      closeButtonProps={{ 'aria-label': 'Close', size: 'lg' }}
    >
      {tool && <EditForm item={item} tool={tool} onDone={onClose} />}
      {!tool && !error && <Skeleton h={320} />}
      {!tool && error && <ErrorState error={error} onRetry={() => void refetch()} />}
    </Modal>
  );
}
