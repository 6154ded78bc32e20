import { marketplace } from './marketplace.ts';
import type { Caller, World } from './world.ts';

/** Patterns that no reply may contain, by a name that is safe to print. */
const traces: Record<string, RegExp> = {
  'a stack': /\bat (?:async )?[\w.<>]+ \(?(?:file:|node:|\/)|\.ts:\d+:\d+/,
  'a path of the server': /node_modules|file:\/\/\/(?!etc)|\/(?:home|root|usr|tmp|var)\/\w/,
  'a database error':
    /syntax error at or near|violates \w+ constraint|relation "|E11000|Mongo\w*Error/,
  'the password hash': /\$argon2|passwordHash|password_hash/i,
};

const accessToken = /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/;

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

/** Other users' personal data. An admin may read all of it; the renter may read the owner's address, to pick the tool up. */
const privateTo = (world: World, caller: Caller, asked = ''): string[] => {
  if (caller === 'admin') return [];
  return Object.entries(world.people).flatMap(([role, { email, phone, address, password }]) => {
    // A request with a user's password may return that user's data: it is a login.
    if (role === caller || asked.includes(password)) return [];
    const mayKnowAddress = role === 'admin' || (caller === 'renter' && role === 'owner');
    return [email, phone, ...(mayKnowAddress ? [] : [address])].filter((word) => word.length > 5);
  });
};

/** The kinds of leaks in a reply. `asked` is the request's text, which the reply may repeat. */
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
      leaks.push('personal data of another user');
  }
  return leaks;
};
