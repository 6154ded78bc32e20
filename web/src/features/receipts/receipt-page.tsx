import type { CreditNote, Receipt } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import {
  cardInWords,
  creditNoteInWords,
  dateOnReceipt,
  receiptRows,
  returnedNote,
  taxInWords,
} from '@lendtools/contracts/receipt-words';
import { Button, Group, Skeleton, Text, Title } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { IconPrinter } from '@tabler/icons-react';
import { useSearchParams } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { formatCents } from '../../rental/format.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import classes from './receipt.module.css';
import { useReceiptFileMutation, useReceiptQuery } from './receipts-api.ts';

interface FileOfReceipt {
  userId: string;
  paymentId: string;
  number: string;
}

function PdfButton({ file, label }: { file: FileOfReceipt; label: string }) {
  const [load] = useReceiptFileMutation();
  return (
    <DownloadButton
      label={label}
      name={file.number}
      fileName={`lendtools-${file.number}.pdf`}
      load={() => load(file)}
    />
  );
}

function Rows({ receipt }: { receipt: Receipt }) {
  return (
    <ul className={classes.rows} aria-label="Paid for">
      {receiptRows(receipt, formatCents).map(({ title, details, amountCents }) => (
        <li key={`${title} ${details[0]}`}>
          <div>
            <Text fw={600}>{title}</Text>
            {details.map((detail) => (
              <Text key={detail} size="sm" c="dimmed">
                {detail}
              </Text>
            ))}
          </div>
          <span className="tabular">{formatCents(amountCents)}</span>
        </li>
      ))}
    </ul>
  );
}

interface NoteProps {
  receipt: Receipt;
  note: CreditNote;
  userId: string;
}

function Note({ receipt, note, userId }: NoteProps) {
  const { number, date, amountCents, taxCents, isReturned } = note;
  return (
    <li>
      <div>
        <Text fw={600}>Credit note {number}</Text>
        <Text size="sm" c="dimmed">
          {dateOnReceipt(receipt, date)}: {creditNoteInWords(note)}
        </Text>
        {receipt.tax && (
          <Text size="sm" c="dimmed">
            {taxInWords(receipt.tax, taxCents, formatCents)}
          </Text>
        )}
        {isReturned && <Text size="sm">{returnedNote}</Text>}
        <div className={classes.noPrint}>
          <PdfButton file={{ userId, paymentId: receipt.paymentId, number }} label="PDF" />
        </div>
      </div>
      <span className="tabular">{formatCents(-amountCents)}</span>
    </li>
  );
}

function Paper({ receipt, userId }: { receipt: Receipt; userId: string }) {
  const { number, paymentId, date, renterName, card, tax, creditNotes, totalCents } = receipt;
  return (
    <article className={classes.paper} aria-label={`Receipt ${number}`}>
      <Text fw={700} className={classes.onlyPrint}>
        LendTools · Receipt {number}
      </Text>
      <Facts>
        <Fact name="Date">{dateOnReceipt(receipt, date)}</Fact>
        <Fact name="For">{renterName}</Fact>
        {card && <Fact name="Paid with">{cardInWords(card)}</Fact>}
      </Facts>
      <Rows receipt={receipt} />
      <Facts>
        <Fact name="Total paid" total>
          {formatCents(totalCents)}
        </Fact>
      </Facts>
      {tax && (
        <Text size="sm" c="dimmed">
          {taxInWords(tax, tax.cents, formatCents)}
        </Text>
      )}
      {creditNotes.length > 0 && (
        <section aria-labelledby="credit-notes">
          <Title order={2} fz="h4" mt="lg" id="credit-notes">
            Credit notes
          </Title>
          <ul className={classes.rows}>
            {creditNotes.map((note) => (
              <Note key={note.number} receipt={receipt} note={note} userId={userId} />
            ))}
          </ul>
          <Facts>
            <Fact name="Refunded">{formatCents(receipt.refundedCents)}</Fact>
            <Fact name="Paid after refunds" total>
              {formatCents(totalCents - receipt.refundedCents)}
            </Fact>
          </Facts>
        </section>
      )}
      <Group mt="lg" gap="sm" className={classes.noPrint}>
        <PdfButton file={{ userId, paymentId, number }} label="Download PDF" />
        <Button
          variant="default"
          leftSection={<IconPrinter size={18} aria-hidden />}
          onClick={() => window.print()}
        >
          Print
        </Button>
      </Group>
    </article>
  );
}

const missing = { data: { message: 'This link is missing its payment.' } };

/** The receipt of the payment `?id=`. An admin's link also names the renter: `&renter=`. */
export default function ReceiptPage() {
  const user = useUser();
  const [search] = useSearchParams();
  const paymentId = search.get('id');
  const userId = search.get('renter') ?? user?.id;
  const request = paymentId && userId ? { paymentId, userId } : skipToken;
  const { data: receipt, error, refetch } = useReceiptQuery(request, { refetchOnFocus: true });
  const back = search.get('renter') ? undefined : paths.rentalHistory;
  return (
    <>
      <PageHeader
        title={receipt ? `Receipt ${receipt.number}` : 'Receipt'}
        {...(back && { back: { to: back, label: 'My Rental History' } })}
      />
      {receipt && userId && <Paper receipt={receipt} userId={userId} />}
      {!receipt && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!receipt && !paymentId && <ErrorState error={missing} />}
      {!receipt && !error && paymentId && <Skeleton h={420} radius={16} aria-hidden />}
    </>
  );
}
