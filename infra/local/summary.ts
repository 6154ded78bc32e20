import type { RunFile } from './run-file.ts';

export function printSummary(run: RunFile): void {
  const rows: [string, string][] = [
    ['Site', run.site],
    ['Mail inbox', run.mail.web ?? 'mail is really sent'],
    ['API docs', run.docs],
    ['Broker', brokerLine(run)],
    ...stripeRows(run),
    ...run.logins.map(({ role, email, password }): [string, string] => [
      `Log in as ${role}`,
      `${email}   ${password}`,
    ]),
    ['Admins’ second factor', secondFactorLine()],
  ];
  console.log(`\n${formatTable(rows)}\n`);
}

function formatTable(rows: [string, string][]): string {
  const left = Math.max(...rows.map(([name]) => name.length));
  const right = Math.max(...rows.map(([, value]) => value.length));
  const line = (begin: string, middle: string, end: string) =>
    begin + '─'.repeat(left + 2) + middle + '─'.repeat(right + 2) + end;
  return [
    line('┌', '┬', '┐'),
    ...rows.map(([name, value]) => `│ ${name.padEnd(left)} │ ${value.padEnd(right)} │`),
    line('└', '┴', '┘'),
  ].join('\n');
}

function secondFactorLine(): string {
  return process.env.REQUIRE_ADMIN_MFA === 'true'
    ? 'required'
    : 'not required; turned on by REQUIRE_ADMIN_MFA=true npm start';
}

/** The key is in the URL's fragment, because browsers don't send the fragment to servers. */
function stripeRows({ stripe }: RunFile): [string, string][] {
  if (stripe.apiBase === null) return [];
  return [['Stripe sandbox', `${stripe.apiBase}/dashboard#${stripe.secretKey}`]];
}

/** Browsers hide or reject passwords in links, so the password is shown next to the link. */
function brokerLine(run: RunFile): string {
  if (run.broker.page === null) return 'AMQP_URL';
  const url = new URL(run.broker.page);
  return `http://localhost:${url.port}   ${url.username} ${url.password}`;
}
