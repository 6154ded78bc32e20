import { internalRoutes } from '@lendtools/contracts';
import { type BoundRoute, handle } from '@lendtools/service-kit';
import { countSignUps } from './admins/count-sign-ups/count-sign-ups.ts';
import { allUsers, getUser, setUser } from './admins/manage-users/manage-users.ts';
import { removeSecondFactors } from './admins/remove-second-factors/remove-second-factors.ts';
import { downloadAuditLog, readAuditLog } from './audit/read-audit-log/read-audit-log.ts';
import { blockedPeople, blockPerson, unblockPerson } from './blocks/block-people/block-people.ts';
import { requestDeletion } from './deletion/request-deletion/request-deletion.ts';
import type { Deps } from './deps.ts';
import { downloadDataExport } from './exports/download-data-export/download-data-export.ts';
import { requestDataExport } from './exports/request-data-export/request-data-export.ts';
import { checkPassword } from './passwords/check-current-password.ts';
import {
  requestPasswordToken,
  userRequestPasswordToken,
} from './passwords/request-password-token/request-password-token.ts';
import { resetPassword } from './passwords/reset-password/reset-password.ts';
import { listCities, listStates, showZip } from './places/list-places/list-places.ts';
import { confirmEmail } from './profiles/confirm-email/confirm-email.ts';
import { createAccount } from './profiles/create-account/create-account.ts';
import { getUserByEmail } from './profiles/get-user-by-email/get-user-by-email.ts';
import { sendVerification } from './profiles/send-verification/send-verification.ts';
import { serveImage } from './profiles/serve-image/serve-image.ts';
import {
  restoreEmail,
  showFormerEmails,
  undoEmailChange,
} from './profiles/undo-email-change/undo-email-change.ts';
import { updateAccount } from './profiles/update-account/update-account.ts';
import { addReport } from './reports/add-report/add-report.ts';
import { appealDecision } from './reports/appeal-decision/appeal-decision.ts';
import { decideReport } from './reports/decide-report/decide-report.ts';
import { listReports, takeReport, workOfAccounts } from './reports/list-reports/list-reports.ts';
import {
  addPasskey,
  removePasskey,
  renamePasskey,
  startPasskey,
} from './second-factors/passkeys/manage-passkeys/manage-passkeys.ts';
import {
  passkeyLogin,
  startPasskeyLogin,
} from './second-factors/passkeys/passkey-login/passkey-login.ts';
import { renewRecoveryCodes } from './second-factors/renew-recovery-codes/renew-recovery-codes.ts';
import { secondFactorLogin } from './second-factors/second-factor-login/second-factor-login.ts';
import { showSecondFactors } from './second-factors/show-second-factors/show-second-factors.ts';
import { confirmTotp, removeTotp, startTotp } from './second-factors/totp/totp.ts';
import { endOtherSessions, endSession } from './sessions/end-sessions/end-sessions.ts';
import { showSessions } from './sessions/list-sessions/list-sessions.ts';
import { logIn } from './sessions/log-in/log-in.ts';
import { logOut } from './sessions/log-out/log-out.ts';
import { reauthenticate, startPasskeyCheck } from './sessions/reauthenticate/reauthenticate.ts';
import { refreshSession } from './sessions/refresh-session/refresh-session.ts';
import { listRevocations } from './store/session-repository.ts';
import { listPublicKeys } from './store/signing-key-repository.ts';

export const routes = (deps: Deps): BoundRoute[] => [
  createAccount(deps),
  logIn(deps),
  refreshSession(deps),
  logOut(deps),
  startPasskeyCheck(deps),
  reauthenticate(deps),
  secondFactorLogin(deps),
  startPasskeyLogin(deps),
  passkeyLogin(deps),
  showSecondFactors(deps),
  startTotp(deps),
  confirmTotp(deps),
  removeTotp(deps),
  renewRecoveryCodes(deps),
  startPasskey(deps),
  addPasskey(deps),
  renamePasskey(deps),
  removePasskey(deps),
  showSessions(deps),
  endSession(deps),
  endOtherSessions(deps),
  requestDeletion(deps),
  requestDataExport(deps),
  downloadDataExport(deps),
  getUserByEmail(deps),
  updateAccount(deps),
  userRequestPasswordToken(deps),
  requestPasswordToken(deps),
  resetPassword(deps),
  confirmEmail(deps),
  undoEmailChange(deps),
  showFormerEmails(deps),
  restoreEmail(deps),
  removeSecondFactors(deps),
  sendVerification(deps),
  allUsers(deps),
  getUser(deps),
  setUser(deps),
  countSignUps(deps),
  blockedPeople(deps),
  blockPerson(deps),
  unblockPerson(deps),
  addReport(deps),
  appealDecision(deps),
  listReports(deps),
  takeReport(deps),
  decideReport(deps),
  readAuditLog(deps),
  downloadAuditLog(deps),
  workOfAccounts(deps),
  listStates(deps),
  listCities(deps),
  showZip(deps),
  serveImage(deps),
  checkPassword(deps),
  handle(internalRoutes.publicKeys, () => listPublicKeys(deps.pool)),
  handle(internalRoutes.revocations, () => listRevocations(deps.pool)),
];
