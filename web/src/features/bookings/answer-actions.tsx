import type { Tool } from '@lendtools/contracts';
import { longestMessage } from '@lendtools/contracts/message-limits';
import { Button, Group, Modal, Skeleton, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useToolCalendar } from '../../api/availability-api.ts';
import { errorMessage } from '../../api/error-message.ts';
import { useToolQuery } from '../../api/tool-api.ts';
import { useBackCloses } from '../../lib/use-back-closes.ts';
import { useKeyOfText } from '../../lib/use-key-of-text.ts';
import { type BookingDraft, emptyDraft } from '../../rental/booking-draft.ts';
import { checkDraft, type DraftErrors, quoteDraft } from '../../rental/booking-rules.ts';
import { formatMoney } from '../../rental/format.ts';
import { QuantityField } from '../../ui/fields/quantity-field.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { TextDialog } from '../../ui/text-dialog.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { WhenFields } from '../../ui/when/when-fields.tsx';
import { useAnswerQuestionMutation } from './conversation-api.ts';

interface AnswerProps {
  toolId: string;
  messageId: string;
  userId: string;
  /** The renter's first name. */
  renter: string;
}

type FormProps = AnswerProps & { onClose: () => void };

function OfferForm({ tool, ...props }: FormProps & { tool: Tool }) {
  const [draft, setDraft] = useState<BookingDraft>(emptyDraft);
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const { calendar, onLook } = useToolCalendar(tool, draft);
  const [answer, { isLoading }] = useAnswerQuestionMutation();
  const { keyOf } = useKeyOfText();
  const found = checkDraft(tool, draft, true, calendar);
  const isChosen = Boolean(draft.start_date && draft.end_date);
  const errors: DraftErrors = tried || isChosen ? found : {};
  const quote = quoteDraft(tool, draft);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(found).length > 0 || isLoading) return;
    const message = text.trim() || 'You can have it on these dates.';
    const { userId, messageId } = props;
    const { error } = await answer({
      userId,
      messageId,
      kind: 'offer',
      offer: draft,
      message,
      idempotencyKey: keyOf(JSON.stringify([draft, message])),
    });
    if (error) return toastError(errorMessage(error));
    toastSuccess('Your offer is sent');
    props.onClose();
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Stack>
        <WhenFields
          tool={tool}
          draft={draft}
          errors={errors}
          withTimes
          calendar={calendar}
          months={1}
          onLook={onLook}
          onChange={setDraft}
        />
        {tool.quantity > 1 && (
          <QuantityField
            quantity={draft.quantity}
            most={tool.quantity}
            onChange={(quantity) => setDraft({ ...draft, quantity })}
          />
        )}
        {quote && (
          <Text>
            {props.renter} pays {formatMoney(quote.total)}.
          </Text>
        )}
        <Textarea
          label="A note"
          description={`Optional. ${props.renter} reads it with the dates.`}
          autosize
          minRows={2}
          maxLength={longestMessage}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Text size="sm" c="dimmed">
          An offer holds nothing: the dates stay free for others until {props.renter} books them.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            Not now
          </Button>
          <Button type="submit" loading={isLoading}>
            Send the offer
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function OfferDates(props: FormProps) {
  const { data: tool, error, refetch } = useToolQuery(props.toolId);
  if (tool) return <OfferForm tool={tool} {...props} />;
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton h={240} />;
}

/** What an owner can do with a question besides replying. */
export function AnswerActions(props: AnswerProps) {
  const { userId, messageId, renter } = props;
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  useBackCloses(isOpen, close);
  const [answer] = useAnswerQuestionMutation();
  const { keyOf, forget } = useKeyOfText();
  const decline = async (message: string) => {
    const reply = { userId, messageId, message, idempotencyKey: keyOf(message) };
    const { error } = await answer({ ...reply, kind: 'decline', offer: null });
    if (!error) forget();
    return { error };
  };
  return (
    <Group gap="sm">
      <Button onClick={() => setIsOpen(true)}>Offer dates</Button>
      <Modal opened={isOpen} onClose={close} title={`Offer ${renter} dates`}>
        <OfferDates {...props} onClose={close} />
      </Modal>
      <TextDialog
        button="Decline"
        title="Decline the question"
        label="The reason"
        description={`${renter} reads it.`}
        field="message"
        missing="Please enter a reason"
        maxLength={longestMessage}
        submit="Decline"
        color="red.9"
        done="You declined"
        onSubmit={decline}
      >
        {renter} can still write to you, and book other dates.
      </TextDialog>
    </Group>
  );
}
