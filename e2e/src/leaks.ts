import { marketplace } from './marketplace.ts';
import type { Caller, World } from './world.ts';

/** What no reply to anybody may hold, by a name that is safe to print. */
const traces: Record<string, RegExp> = {
  'a stack': /\bat (?:async )?[\w.<>]+ \(?(?:file:|node:|\/)|\.ts:\d+:\d+/,
  'a path of the server': /node_modules|file:\/\/\/(?!etc)|\/(?:home|root|usr|tmp|var)\/\w/,
  'the database talking':
    /syntax error at or near|violates \w+ constraint|relation "|E11000|Mongo\w*Error/,
  'the password hash': /\$argon2|passwordHash|password_hash/i,
};

const accessToken = /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/;

/** The secrets of the running system, and everybody's passwords. */
const secretsOf = (world: World): string[] => {
  const { stripe, databases, broker } = marketplace();
  const urls = [databases, broker.services].flatMap((byService) => Object.values(byService));
  return [
    stripe.secretKey,
    stripe.webhookSecret,
    ...[...urls, broker.amqp].map((url) => new URL(url).password),
    ...Object.values(world.people).map((person) => person.password),
  ].filter((secret) => secret.length > 5);
};

/** The words of others that a caller must never read: an admin may, and a renter is told where to pick the tool up. */
const privateTo = (world: World, caller: Caller, asked = ''): string[] => {
  if (caller === 'admin') return [];
  return Object.entries(world.people).flatMap(([role, { email, phone, address, password }]) => {
    // Who logs in with somebody's password is them.
    if (role === caller || asked.includes(password)) return [];
    const mayKnowAddress = role === 'admin' || (caller === 'renter' && role === 'owner');
    return [email, phone, ...(mayKnowAddress ? [] : [address])].filter((word) => word.length > 5);
  });
};

/** What a reply gives away; `asked` is what the caller itself had written, which may be said back. */
export const findLeaks = (
  reply: string,
  {
    world,
    caller,
    asked,
    grantsToken,
  }: {
    world: World;
    caller: Caller;
    asked: string;
    grantsToken: boolean;
  },
): string[] => {
  const leaks = Object.entries(traces).flatMap(([name, trace]) => {
    const [found] = trace.exec(reply) ?? [];
    return found && !asked.includes(found) ? [name] : [];
  });
  if (reply.includes(process.cwd())) leaks.push('a path of the server');
  if (secretsOf(world).some((secret) => reply.includes(secret))) leaks.push('a secret');
  if (!grantsToken && accessToken.test(reply)) leaks.push('an access token');
  const known = asked.toLowerCase();
  for (const word of privateTo(world, caller, asked)) {
    if (reply.includes(word) && !known.includes(word.toLowerCase()))
      leaks.push('a private word of another person');
  }
  return leaks;
};
