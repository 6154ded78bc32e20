import type { CreditNote, Receipt } from '@lendtools/contracts';
import {
  cardInWords,
  creditNoteInWords,
  dateOnReceipt,
  receiptRows,
  returnedNote,
  taxInWords,
} from '@lendtools/contracts/receipt-words';
import { dollars, type PdfWriter, writePdf } from '../pdf/write-pdf.ts';

interface ReceiptFile {
  receipt: Receipt;
  /** The number of the receipt, or of one of its credit notes. */
  number: string;
  site: string;
}

/**
 * Renders a receipt, or one of its credit notes, as a PDF file. The same input gives the same bytes, so an emailed file equals a
 * downloaded one.
 */
export const receiptPdf = ({ receipt, number, site }: ReceiptFile): Promise<Buffer> => {
  const note = receipt.creditNotes.find((each) => each.number === number);
  const title = `${note ? 'Credit note' : 'Receipt'} ${number}`;
  return writePdf({ title, date: note?.date ?? receipt.date, site }, (page) => {
    if (note) writeCreditNote(page, receipt, note);
    else writeReceipt(page, receipt);
  });
};

const writeReceipt = (page: PdfWriter, receipt: Receipt): void => {
  const { card, tax, creditNotes, totalCents, refundedCents } = receipt;
  page.fact('Date', dateOnReceipt(receipt, receipt.date));
  page.fact('For', receipt.renterName);
  if (card) page.fact('Paid with', cardInWords(card));
  page.rule();
  for (const row of receiptRows(receipt, dollars)) page.row(row);
  page.rule();
  page.amount('Total paid', totalCents, true);
  if (tax) page.text(taxInWords(tax, tax.cents, dollars));
  if (creditNotes.length === 0) return;
  page.rule();
  for (const note of creditNotes) {
    page.row({
      title: `Credit note ${note.number}`,
      details: [
        `${dateOnReceipt(receipt, note.date)}: ${creditNoteInWords(note)}`,
        ...(note.isReturned ? [returnedNote] : []),
      ],
      amountCents: -note.amountCents,
    });
  }
  page.rule();
  page.amount('Refunded', refundedCents);
  page.amount('Paid after refunds', totalCents - refundedCents, true);
};

const writeCreditNote = (page: PdfWriter, receipt: Receipt, note: CreditNote): void => {
  const { card, tax } = receipt;
  page.fact('Date', dateOnReceipt(receipt, note.date));
  page.fact('For', receipt.renterName);
  page.fact('Receipt', `${receipt.number} of ${dateOnReceipt(receipt, receipt.date)}`);
  if (card) page.fact('Refunded to', cardInWords(card));
  page.rule();
  page.row({ title: 'Refund', details: [creditNoteInWords(note)], amountCents: note.amountCents });
  page.rule();
  page.amount('Total refunded', note.amountCents, true);
  if (tax) page.text(taxInWords(tax, note.taxCents, dollars));
  if (note.isReturned) page.text(returnedNote);
};
