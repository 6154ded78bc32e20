import { createHash } from 'node:crypto';
import { type Body, routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { handle, networkOf, once } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { emailTaken, passwordRejected } from '../../domain/errors.ts';
import { toApiUser, toProfile } from '../../domain/user.ts';
import { findPasswordProblem } from '../../passwords/find-password-problem.ts';
import { findPickUpPlace, findPlace, noPlace } from '../../places/find-place.ts';
import { isReserved } from '../../store/former-email-repository.ts';
import { findUserByEmail, insertUser } from '../../store/user-repository.ts';
import { requestVerification } from '../send-verification/send-verification.ts';

export const createAccount = (deps: Deps) =>
  handle(routes.createAccount, async ({ body, images, idempotencyKey, request, response }) => {
    const { pool, limits, attempts, hasher } = deps;
    const ip = request.ip ?? '';
    await limits.signUp(ip);
    const problem = await findPasswordProblem(body.password, toNames(body));
    if (problem) throw passwordRejected(problem, 'password');
    const place = placeOf(deps, body);
    const { password, ...content } = body;
    // Reject a taken email before the costly work, unless the request has an Idempotency-Key and may be a repeat.
    if (idempotencyKey === undefined && (await findUserByEmail(pool, body.email)))
      throw emailTaken();

    const rank = attempts.add(ip);
    const passwordHash = await hasher.hash(password, { rank, isGone: () => response.closed });
    const image = images.image
      ? await deps.images.save('image', images.image, networkOf(ip))
      : 'null';
    return once(
      pool,
      // `content` is stored as a SHA-256 hash, which is fast to brute-force: leave out the password.
      { key: idempotencyKey, scope: scopeOf(body.email), route: 'create-account', content },
      async (tx) => {
        const user = await insertUser(tx, {
          ...toNames(body),
          ...place,
          role: 'User',
          passwordHash,
          image,
        });
        // Only now: the insert waited for a change of this email to be committed.
        if (!user || (await isReserved(tx, body.email))) throw emailTaken();
        const registered = { ...toProfile(user), welcomeFollows: true };
        await addToOutbox(tx, newEvent('AccountRegistered', user, registered));
        await requestVerification(tx, user, { isWelcome: true });
        return { message: 'Your account is ready. Please log in.', user: toApiUser(user) };
      },
    );
  });

/** Before sign-up there is no user id, so the email scopes the Idempotency-Key. */
const scopeOf = (email: string): string => createHash('sha256').update(email).digest('hex');

type SignUp = Body<typeof routes.createAccount>;

const placeOf = ({ places, zips }: Deps, { state, city, zip }: SignUp): typeof noPlace => {
  if (state === undefined || city === undefined) return noPlace;
  const found = findPlace(places, { state, city });
  return { ...found, ...findPickUpPlace(zips, found, { zip }) };
};

const toNames = (body: SignUp) => ({
  userName: body.user_name,
  firstName: body.first_name,
  lastName: body.last_name,
  email: body.email,
  phone: body.phone,
  address: body.address ?? '',
});
