import { internalRoutes } from '@lendtools/contracts';
import { type BoundRoute, handle } from '@lendtools/service-kit';
import { checkPassword } from './check-current-password.ts';
import { confirmEmail } from './confirm-email/confirm-email.ts';
import { countSignUps } from './count-sign-ups/count-sign-ups.ts';
import { createAccount } from './create-account/create-account.ts';
import type { Deps } from './deps.ts';
import { getUserByEmail } from './get-user-by-email/get-user-by-email.ts';
import { listCities, listStates, showZip } from './list-places/list-places.ts';
import { logIn } from './log-in/log-in.ts';
import { logOut } from './log-out/log-out.ts';
import { allUsers, getUser, setUser } from './manage-users/manage-users.ts';
import { refreshSession } from './refresh-session/refresh-session.ts';
import {
  requestPasswordToken,
  userRequestPasswordToken,
} from './request-password-token/request-password-token.ts';
import { resetPassword } from './reset-password/reset-password.ts';
import { sendVerification } from './send-verification/send-verification.ts';
import { serveImage } from './serve-image/serve-image.ts';
import { listRevocations } from './session-repository.ts';
import { listPublicKeys } from './signing-key-repository.ts';
import { updateAccount } from './update-account/update-account.ts';

export const routes = (deps: Deps): BoundRoute[] => [
  createAccount(deps),
  logIn(deps),
  refreshSession(deps),
  logOut(deps),
  getUserByEmail(deps),
  updateAccount(deps),
  userRequestPasswordToken(deps),
  requestPasswordToken(deps),
  resetPassword(deps),
  confirmEmail(deps),
  sendVerification(deps),
  allUsers(deps),
  getUser(deps),
  setUser(deps),
  countSignUps(deps),
  listStates(deps),
  listCities(deps),
  showZip(deps),
  serveImage(deps),
  checkPassword(deps),
  handle(internalRoutes.publicKeys, () => listPublicKeys(deps.pool)),
  handle(internalRoutes.revocations, () => listRevocations(deps.pool)),
];
