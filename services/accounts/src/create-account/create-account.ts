import { createHash } from 'node:crypto';
import { type Body, routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { handle, networkOf, once } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { isCommonPassword } from '../domain/password-rules.ts';
import { emailTaken, passwordTooCommon } from '../errors.ts';
import { findPickUpPlace, findPlace } from '../find-place.ts';
import { requestVerification } from '../send-verification/send-verification.ts';
import { findUserByEmail, insertUser, toApiUser, toProfile } from '../user-repository.ts';

export const createAccount = (deps: Deps) =>
  handle(routes.createAccount, async ({ body, images, idempotencyKey, request, response }) => {
    const { pool, limits, attempts, hasher } = deps;
    const ip = request.ip ?? '';
    await limits.signUp(ip);
    if (isCommonPassword(body.password, body.email, body.user_name))
      throw passwordTooCommon('password');
    const city = findPlace(deps.places, body);
    const place = { ...city, ...findPickUpPlace(deps.zips, city, body) };
    const { password, ...content } = body;
    // Reject a taken email before the expensive hashing and picture processing. With an Idempotency-Key it may be a
    // repeat, which must get the stored reply.
    if (idempotencyKey === undefined && (await findUserByEmail(pool, body.email)))
      throw emailTaken();

    const rank = attempts.add(ip);
    const passwordHash = await hasher.hash(password, { rank, isGone: () => response.closed });
    const image = images.image
      ? await deps.images.save('image', images.image, networkOf(ip))
      : 'null';
    return once(
      pool,
      // `content` is fingerprinted with SHA-256, which is fast to brute-force: leave the password out.
      { key: idempotencyKey, scope: scopeOf(body.email), route: 'create-account', content },
      async (tx) => {
        const user = await insertUser(tx, {
          ...toNames(body),
          ...place,
          role: 'User',
          passwordHash,
          image,
        });
        if (!user) throw emailTaken();
        const registered = { ...toProfile(user), welcomeFollows: true };
        await addToOutbox(tx, newEvent('AccountRegistered', user, registered));
        await requestVerification(tx, user, { isWelcome: true });
        return { message: 'Your account is ready. Please log in.', user: toApiUser(user) };
      },
    );
  });

/** Before sign-up there is no user id, so the email scopes the Idempotency-Key. */
const scopeOf = (email: string): string => createHash('sha256').update(email).digest('hex');

const toNames = (body: Body<typeof routes.createAccount>) => ({
  userName: body.user_name,
  firstName: body.first_name,
  lastName: body.last_name,
  email: body.email,
  phone: body.phone,
  address: body.address,
});
