import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ServerContext } from './home.ts';
import { answers } from './ports.ts';

export interface MailServer {
  smtpUrl: string;
  /** The address of the inbox page, with a secret path. Null if email goes to a real server. */
  inbox: string | null;
  choice: string;
}

export interface MailCatcher extends MailServer {
  inbox: string;
}

export async function startMail(context: ServerContext): Promise<MailServer> {
  const given = process.env.SMTP_URL;
  return given ? { smtpUrl: given, inbox: null, choice: 'SMTP_URL' } : startMailCatcher(context);
}

/** Tests use this even if SMTP_URL is set, because they must not send real email. */
export async function startMailCatcher(context: ServerContext): Promise<MailCatcher> {
  const smtp = await context.ports.pick('smtp');
  const web = await context.ports.pick('mail-inbox');
  // maildev lets every website read its inbox, and a password would not protect its WebSocket, so its path is secret.
  const secretPath = `/${context.secrets.get('inboxPath')}`;
  const folder = join(context.home, 'mail');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const require = createRequire(import.meta.url);
  await context.supervisor.start({
    name: 'mail',
    command: process.execPath,
    args: [
      ...[require.resolve('maildev/bin/maildev'), '--silent', '--mail-directory', folder],
      ...['--smtp', String(smtp), '--ip', '127.0.0.1'],
      ...['--web', String(web), '--web-ip', '127.0.0.1'],
    ],
    env: {
      PATH: process.env.PATH,
      MAILDEV_BASE_PATHNAME: secretPath,
      NODE_NO_WARNINGS: '1',
      NODE_COMPILE_CACHE: join(context.cache, 'compiled'),
    },
    port: smtp,
    isReady: async () => (await answers(smtp)) && (await answers(web)),
  });
  return {
    smtpUrl: `smtp://127.0.0.1:${smtp}`,
    inbox: `http://localhost:${web}${secretPath}`,
    choice: `maildev on port ${smtp}, nothing leaves this machine`,
  };
}
