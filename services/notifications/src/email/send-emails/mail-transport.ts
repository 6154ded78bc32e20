import { createHash } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { ClaimedEmail } from '../../store/email-repository.ts';

export interface AttachedFile {
  filename: string;
  contentType: string;
  content: Buffer | string;
}

export interface MailTransport {
  /** Resolves once the mail server has replied 250. */
  send(email: ClaimedEmail, files?: AttachedFile[]): Promise<void>;
  close(): void;
}

/** One plain address: no list, group, comment or second header. */
const address = /^[^\s\p{Cc}<>()[\]\\,;:@"]+@[A-Za-z0-9.-]+$/u;

/** The error for an email that no retry can deliver. */
export class UndeliverableError extends Error {}

/** The header must repeat the file's method: an email program that reads `CANCEL` there offers to remove the booking. */
const calendarFile = (content: string): AttachedFile => ({
  filename: 'booking.ics',
  contentType: `text/calendar; charset=utf-8; method=${/^METHOD:(\w+)/m.exec(content)?.[1]}`,
  content,
});

/** Parallel connections, so that one slow conversation does not hold up the others. */
export const lanes = 4;

/** Imports nodemailer for the first email only, so that a replica starts faster. */
const openTransport = async (url: string) => {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    // A connection closes after `socketTimeout` without use.
    pool: true,
    maxConnections: lanes,
    // Disable nodemailer's retries: a broken connection may have sent its email. The email log decides when to retry.
    maxRequeues: 0,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    dnsTimeout: 10_000,
    // With these settings, no email content can make this process read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
};

export const createMailTransport = (
  config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL'>,
): MailTransport => {
  let opening: ReturnType<typeof openTransport> | undefined;
  const host = new URL(config.PUBLIC_URL).hostname;

  const send: MailTransport['send'] = async (email, files = []) => {
    const { _id, to, subject, html, text, calendar, unsubscribeUrl } = email;
    if (!address.test(to.address)) throw new UndeliverableError('The address is malformed');
    const name = to.name.replace(/[\p{Cc}"<>]/gu, ' ').trim();
    try {
      // Share one promise: concurrent first emails would otherwise each open a transport.
      opening ??= openTransport(config.SMTP_URL);
      const transport = await opening;
      await transport.sendMail({
        from: config.MAIL_FROM,
        to: { name, address: to.address },
        subject,
        html,
        text,
        attachments: [...(calendar ? [calendarFile(calendar)] : []), ...files],
        // A retry has the same id, so email programs show the email once.
        messageId: `<${createHash('sha256').update(_id).digest('hex').slice(0, 32)}@${host}>`,
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribeUrl && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
        },
        ...(unsubscribeUrl && { list: { unsubscribe: unsubscribeUrl } }),
      });
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      // The mailbox does not exist. Other rejections may be temporary or our own fault.
      if (code === 'EENVELOPE' && (responseCode ?? 0) >= 500)
        throw new UndeliverableError((error as Error).message);
      throw error;
    }
  };
  return { send, close: () => void opening?.then((transport) => transport.close()) };
};
