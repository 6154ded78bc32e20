import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { pages, type Topic, topics } from '@lendtools/contracts';
import type { Config } from '../config.ts';

interface Subscription {
  userId: string;
  topic: Topic;
}

type Settings = Pick<Config, 'INTERNAL_SECRET' | 'OLD_INTERNAL_SECRETS'>;

const sign = (secret: string, { userId, topic }: Subscription): string => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'lendtools unsubscribe links', 32));
  return createHmac('sha256', key).update(`${userId}.${topic}`).digest('base64url');
};

/**
 * The address in an email's footer and in its `List-Unsubscribe`. It works without a login and doesn't expire, because it can only
 * turn off the emails about one topic.
 */
export const unsubscribeUrl = (
  site: string,
  { INTERNAL_SECRET: [secret] }: Pick<Config, 'INTERNAL_SECRET'>,
  { userId, topic }: Subscription,
): string => {
  const token = `${userId}.${topic}.${sign(secret, { userId, topic })}`;
  return `${site}${pages.unsubscribe}?token=${token}`;
};

/** Returns undefined if none of the secrets signed the token. */
export const readUnsubscribeToken = (
  { INTERNAL_SECRET, OLD_INTERNAL_SECRETS }: Settings,
  token: string,
): Subscription | undefined => {
  const [userId = '', name, signature = ''] = token.split('.');
  const topic = topics.find((each) => each === name);
  if (!topic) return undefined;
  const secrets = [...INTERNAL_SECRET, ...OLD_INTERNAL_SECRETS];
  const isSigned = secrets.some((secret) => isSame(signature, sign(secret, { userId, topic })));
  return isSigned ? { userId, topic } : undefined;
};

const isSame = (given: string, expected: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
};
