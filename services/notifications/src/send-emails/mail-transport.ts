import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import type { ClaimedEmail } from '../email-repository.ts';

/** Hands an email to the mail server; resolves with its 250. */
export type MailTransport = (email: ClaimedEmail) => Promise<void>;

/** One plain address: no list, no group, no comment, no second header. */
const address = /^[^\s\p{Cc}<>()[\]\\,;:@"]+@[A-Za-z0-9.-]+$/u;

/** The email can never be delivered: trying again is pointless. */
export class UndeliverableError extends Error {}

const attached = (content: string) => ({
  filename: 'booking.ics',
  contentType: 'text/calendar; charset=utf-8',
  content,
});

export const createMailTransport = (
  config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL'>,
): MailTransport => {
  const transport = createTransport({
    url: config.SMTP_URL,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    dnsTimeout: 10_000,
    // Nothing in an email may make this process read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const host = new URL(config.PUBLIC_URL).hostname;

  return async ({ _id, to, subject, html, text, calendar }) => {
    if (!address.test(to.address)) throw new UndeliverableError('The address is malformed');
    const name = to.name.replace(/[\p{Cc}"<>]/gu, ' ').trim();
    try {
      await transport.sendMail({
        from: config.MAIL_FROM,
        to: { name, address: to.address },
        subject,
        html,
        text,
        ...(calendar && { attachments: [attached(calendar)] }),
        // The same for a repeat, so that mail programs show one of two.
        messageId: `<${createHash('sha256').update(_id).digest('hex').slice(0, 32)}@${host}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      // The server knows no such mailbox. Any other refusal may be ours to repair.
      if (code === 'EENVELOPE' && (responseCode ?? 0) >= 500)
        throw new UndeliverableError((error as Error).message);
      throw error;
    }
  };
};
