import { createHash } from 'node:crypto';
import type { Config } from '../config.ts';
import type { ClaimedEmail } from '../email-repository.ts';

export interface MailTransport {
  /** Sends an email to the mail server; resolves with its 250. */
  send(email: ClaimedEmail): Promise<void>;
  close(): void;
}

/** One plain address: no list, group, comment or second header. */
const address = /^[^\s\p{Cc}<>()[\]\\,;:@"]+@[A-Za-z0-9.-]+$/u;

/** The email can never be delivered, so retrying is pointless. */
export class UndeliverableError extends Error {}

/** The method must match the file's. An email program that reads `CANCEL` here offers to remove the booking. */
const attached = (content: string) => ({
  filename: 'booking.ics',
  contentType: `text/calendar; charset=utf-8; method=${/^METHOD:(\w+)/m.exec(content)?.[1]}`,
  content,
});

/**
 * Emails sent in parallel, each over its own connection, so that one slow conversation does not hold up the others.
 */
export const lanes = 4;

/** Loads nodemailer on demand: a replica needs it for its first email, not to become ready. */
const openTransport = async (url: string) => {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    // A connection carries one email after another, and closes after `socketTimeout` without use.
    pool: true,
    maxConnections: lanes,
    // If a connection breaks, it is unknown whether the email was sent; the email log decides when to retry.
    maxRequeues: 0,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    dnsTimeout: 10_000,
    // No email content can make this process read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
};

export const createMailTransport = (
  config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL'>,
): MailTransport => {
  let opening: ReturnType<typeof openTransport> | undefined;
  const host = new URL(config.PUBLIC_URL).hostname;

  const send: MailTransport['send'] = async ({ _id, to, subject, html, text, calendar }) => {
    if (!address.test(to.address)) throw new UndeliverableError('The address is malformed');
    const name = to.name.replace(/[\p{Cc}"<>]/gu, ' ').trim();
    try {
      // Share one transport: concurrent first emails would otherwise each open their own.
      opening ??= openTransport(config.SMTP_URL);
      const transport = await opening;
      await transport.sendMail({
        from: config.MAIL_FROM,
        to: { name, address: to.address },
        subject,
        html,
        text,
        ...(calendar && { attachments: [attached(calendar)] }),
        // A repeat has the same id, so that email programs show only one of the two.
        messageId: `<${createHash('sha256').update(_id).digest('hex').slice(0, 32)}@${host}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      // The mailbox does not exist. Any other rejection may be temporary or our own fault.
      if (code === 'EENVELOPE' && (responseCode ?? 0) >= 500)
        throw new UndeliverableError((error as Error).message);
      throw error;
    }
  };
  return { send, close: () => void opening?.then((transport) => transport.close()) };
};
