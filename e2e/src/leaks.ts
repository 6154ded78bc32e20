import { marketplace } from './marketplace.ts';
import type { Caller, World } from './world.ts';

/** The keys are safe to print; the matched text is not. */
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
    stripe.connectWebhookSecret,
    ...[...urls, broker.amqp].map((url) => new URL(url).password),
    ...Object.values(world.people).map((person) => person.password),
  ].filter((secret) => secret.length > 5);
};

/** Returns texts that the caller may not read. Admins may read everything; a renter may read the owner's address. */
const privateTo = (world: World, caller: Caller, requested = ''): string[] => {
  if (caller === 'admin' || caller === 'support' || caller === 'finance') return [];
  return Object.entries(world.people).flatMap(([role, { email, phone, address, password }]) => {
    // A request with a user's password is a login, so its reply may contain that user's data.
    if (role === caller || requested.includes(password)) return [];
    const mayKnowAddress = role === 'admin' || (caller === 'renter' && role === 'owner');
    return [email, phone, ...(mayKnowAddress ? [] : [address])].filter((word) => word.length > 5);
  });
};

/** @param requested the request's text, which the reply may repeat */
export const findLeaks = (
  reply: string,
  {
    world,
    caller,
    requested,
    grantsToken,
  }: {
    world: World;
    caller: Caller;
    requested: string;
    grantsToken: boolean;
  },
): string[] => {
  const leaks = Object.entries(traces).flatMap(([name, trace]) => {
    const [found] = trace.exec(reply) ?? [];
    return found && !requested.includes(found) ? [name] : [];
  });
  if (reply.includes(process.cwd())) leaks.push('a path of the server');
  if (secretsOf(world).some((secret) => reply.includes(secret))) leaks.push('a secret');
  if (!grantsToken && accessToken.test(reply)) leaks.push('an access token');
  const known = requested.toLowerCase();
  for (const word of privateTo(world, caller, requested)) {
    if (reply.includes(word) && !known.includes(word.toLowerCase()))
      leaks.push('personal data of another user');
  }
  return leaks;
};
