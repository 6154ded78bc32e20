import type { CalendarEntry } from '@lendtools/contracts';
import type { AttachedReceipt } from '../store/email-repository.ts';

export interface EmailContent {
  subject: string;
  /** The subject for an unverified address, which gets no text written by users. Null for an email about the account itself. */
  neutralSubject: string | null;
  /** Text that email programs show after the subject in a list of emails; by default the first paragraph. */
  preheader?: string;
  heading: string;
  paragraphs: string[];
  facts?: [string, string][];
  button: { label: string; url: string };
  /** A second link, below the button. */
  link?: { label: string; url: string };
  calendar?: CalendarEntry;
  /** Payments whose receipts are attached. */
  receipts?: AttachedReceipt[];
  footnote?: string;
}
