import { createHash } from 'node:crypto';
import type { Config } from '../config.ts';
import type { ClaimedEmail } from '../email-repository.ts';

export interface MailTransport {
  /** Hands an email to the mail server; resolves with its 250. */
  send(email: ClaimedEmail): Promise<void>;
  close(): void;
}

/** One plain address: no list, no group, no comment, no second header. */
const address = /^[^\s\p{Cc}<>()[\]\\,;:@"]+@[A-Za-z0-9.-]+$/u;

/** The email can never be delivered: trying again is pointless. */
export class UndeliverableError extends Error {}

/** The method must be the file's own: a mail program that reads `CANCEL` here offers to take the booking away. */
const attached = (content: string) => ({
  filename: 'booking.ics',
  contentType: `text/calendar; charset=utf-8; method=${/^METHOD:(\w+)/m.exec(content)?.[1]}`,
  content,
});

/** Several emails at once, each over its connection, so that one slow conversation does not hold up the others. */
export const lanes = 4;

/** Loads nodemailer, which a replica needs for its first email and not to be ready. */
const openTransport = async (url: string) => {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    // A connection carries one email after another, and ends when it was idle for as long as `socketTimeout`.
    pool: true,
    maxConnections: lanes,
    // Of an email whose connection breaks nobody knows whether it left: the email log decides when to try again.
    maxRequeues: 0,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    dnsTimeout: 10_000,
    // Nothing in an email may make this process read a file or fetch an address.
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
      // Lanes begin together: each would else open its own.
      opening ??= openTransport(config.SMTP_URL);
      const transport = await opening;
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
  return { send, close: () => void opening?.then((transport) => transport.close()) };
};
