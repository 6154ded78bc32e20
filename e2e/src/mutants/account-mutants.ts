// biome-ignore-all format: a list is read by its rows.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code as text.
import type { Mutant } from './mutant.ts';

const src = 'services/accounts/src';
const createAccount = `${src}/create-account/create-account.test.ts`;
const resetPassword = `${src}/reset-password/reset-password.test.ts`;
const requestToken = `${src}/request-password-token/request-password-token.test.ts`;
const accessTokens = `${src}/access-tokens.test.ts`;
const refreshSession = `${src}/refresh-session/refresh-session.test.ts`;
const logIn = `${src}/log-in/log-in.test.ts`;
const logOut = `${src}/log-out/log-out.test.ts`;
const liveHub = 'services/notifications/src/push-live/live-hub.test.ts';
const browser = 'e2e/journeys/browser-security.journey.ts';

const hasher = `${src}/password-hasher.ts`;
const mailedTokens = `${src}/mailed-token-repository.ts`;
const auth = 'packages/service-kit/src/auth.ts';
const authenticator = 'packages/service-kit/test/authenticator.test.ts';
const cookie = `${src}/refresh-cookie.ts`;
const limits = `${src}/rate-limits.ts`;

const spendIsRead = {
  file: mailedTokens,
  find: 'DELETE FROM mailed_tokens WHERE ${valid} RETURNING ${fields}',
  replace: 'SELECT ${fields} FROM mailed_tokens WHERE ${valid} AND true',
};
const linksStay = {
  file: mailedTokens,
  find: "DELETE FROM mailed_tokens WHERE user_id = $1 AND ($2 OR purpose <> 'verify')",
  replace: "DELETE FROM mailed_tokens WHERE user_id = $1 AND $2 AND purpose = 'none'",
};
const guessingTest = { file: logIn, name: 'looks at ten of a thousand guesses from one address, and the owner still gets in' };
const slowdownTest = { file: logIn, name: 'slows guesses from a hundred addresses, and the owner still gets in' };
const replicasTest = { file: logOut, name: 'is heard by the other replicas, and known to one that starts later' };

/** Passwords, tokens, sessions and their limits: lines 7 to 17. */
export const accountMutants: Mutant[] = [
  {
    rule: 7, breaks: 'hashes passwords with half the memory',
    file: hasher, find: 'memoryCost: 19_456', replace: 'memoryCost: 9_728',
    test: { file: createAccount, name: 'stores the password as argon2id at the cost that OWASP asks for' },
  },
  {
    rule: 8, breaks: 'takes a password of seven characters',
    file: 'packages/contracts/src/api/accounts.ts', find: '.min(8,', replace: '.min(7,',
    test: { file: createAccount, name: 'refuses the password seven77' },
  },
  {
    rule: 8, breaks: 'takes a common password in capitals',
    file: `${src}/domain/password-rules.ts`, find: 'password.toLowerCase()', replace: 'password',
    test: { file: createAccount, name: 'refuses the password Password' },
  },
  {
    rule: 8, breaks: 'looks at 72 characters of a password, as bcrypt does',
    file: hasher, find: 'inTurn(() => hash(password, cost))', replace: 'inTurn(() => hash(password.slice(0, 72), cost))',
    also: [{ file: hasher, find: 'nobodysHash, password);', replace: 'nobodysHash, password.slice(0, 72));' }],
    test: { file: createAccount, name: 'takes the password %s and never less than all of it' },
  },
  {
    rule: 9, breaks: 'takes any current password',
    file: `${src}/check-current-password.ts`,
    find: 'if (!(await hasher.verify(user.passwordHash, typed))) throw passwordWrong(path, message);', replace: 'void [hasher, typed, path, message, passwordWrong];',
    test: { file: resetPassword, name: 'with a stolen access token alone changes nothing' },
  },
  {
    rule: 10, breaks: 'answers an unknown email at once',
    file: `${src}/log-in/log-in.ts`,
    find: '    if (!(await hasher.verify(', replace: '    if (!found) throw loginFailed();\n    if (!(await hasher.verify(',
    test: { file: logIn, name: 'says the same for a wrong password and for an unknown email, in the same time' },
  },
  {
    rule: 10, breaks: 'tells a stranger that an email is unknown',
    file: `${src}/get-user-by-email/get-user-by-email.ts`,
    find: 'allow([found?.id], forbidden)', replace: 'allow([found?.id], found ? forbidden : userNotFound)',
    test: { file: `${src}/get-user-by-email/get-user-by-email.test.ts`, name: 'answers oneself, and an admin; a stranger learns not even whether it exists' },
  },
  {
    rule: 10, breaks: 'answers as soon as there is no link to mail',
    file: `${src}/request-password-token/request-password-token.ts`,
    find: 'await Promise.all([mailLink(deps, body.email), delay(answerAfterMs)]);', replace: 'await mailLink(deps, body.email);',
    test: { file: requestToken, name: 'answers the same for a known and an unknown email, in the same time' },
  },
  {
    rule: 11, breaks: 'takes a mailed token twice',
    ...spendIsRead, also: [linksStay],
    test: { file: resetPassword, name: 'works once, even twice at once, and ends the other links too' },
  },
  {
    rule: 11, breaks: 'leaves the other links valid',
    ...linksStay,
    test: { file: resetPassword, name: 'works once, even twice at once, and ends the other links too' },
  },
  {
    rule: 11, breaks: 'keeps a link valid for two hours',
    file: mailedTokens, find: "password: '30 minutes'", replace: "password: '2 hours'",
    test: { file: resetPassword, name: 'when it is %s, refuses it in the documented words' },
  },
  {
    rule: 11, breaks: 'stores the mailed token as it is',
    file: `${src}/session-repository.ts`,
    find: "createHash('sha256').update(token).digest();", replace: 'Buffer.from(token);',
    test: { file: requestToken, name: 'is 256 bits, stored as a hash, and gone from the outbox once it is on its way' },
  },
  {
    rule: 11, breaks: 'leaves the sessions open after a reset',
    file: `${src}/reset-password/reset-password.ts`,
    find: 'const ended = await endSessions(tx, { userId: user.id });', replace: 'const ended: Envelope[] = [];',
    test: { file: resetPassword, name: 'sets the password and ends every session' },
  },
  {
    rule: 11, breaks: 'tells the mail of the Host that was asked',
    file: `${src}/request-password-token/request-password-token.ts`,
    find: 'const asked = { userId, email, firstName, token };',
    replace: 'const asked = { userId, email, firstName, token, site };',
    also: [
      { file: `${src}/request-password-token/request-password-token.ts`, find: '({ pool }: Deps, email', replace: '({ pool, site }: Deps & { site?: string }, email' },
      { file: `${src}/request-password-token/request-password-token.ts`, find: 'mailLink(deps, body.email)', replace: "mailLink({ ...deps, site: request.get('x-forwarded-host') }, body.email)" },
      { file: 'packages/contracts/src/events/accounts.ts', find: 'passwordResetRequested = z.object({', replace: 'passwordResetRequested = z.object({\n  site: z.string().optional(),' },
    ],
    test: { file: requestToken, name: 'goes to the address of the account, whatever Host was asked' },
  },
  {
    rule: 11, breaks: 'mails a link to another host',
    file: 'services/notifications/src/mail-when-account-needs-it/mail-when-account-needs-it.ts',
    find: 'const site = siteOf(deps);', replace: "const site = siteOf(deps) && 'http://evil.example';",
    test: {
      file: 'services/notifications/src/mail-when-account-needs-it/mail-when-account-needs-it.test.ts',
      name: 'mails the link that resets a password, and forgets its token once it is sent',
    },
  },
  {
    rule: 11, breaks: 'mails a link that works no more',
    file: 'services/notifications/src/send-emails/send-emails.ts',
    find: 'if (email.giveUpAt <= new Date()) {', replace: 'if (email.giveUpAt === null) {',
    test: { file: 'services/notifications/src/send-emails/send-emails.test.ts', name: 'drops a link that ended before its first try, and counts it' },
  },
  {
    rule: 12, breaks: 'reads a token without looking at its signature',
    file: auth, find: 'const { payload } = await jwtVerify(token, keys, {',
    replace: `const unverified = async (..._: unknown[]) => ({ payload: JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) });
  const { payload } = await unverified(token, keys, {`,
    test: { file: accessTokens, name: 'with alg %s is refused' },
  },
  {
    rule: 12, breaks: "takes another API's token",
    file: auth, find: '    audience: tokenAudience,\n', replace: '',
    test: { file: accessTokens, name: 'for another audience is refused' },
  },
  {
    rule: 12, breaks: "takes another issuer's token",
    file: auth, find: '    issuer: tokenIssuer,\n', replace: '',
    test: { file: accessTokens, name: 'by another issuer is refused' },
  },
  {
    rule: 12, breaks: 'takes a token of another type',
    file: auth, find: "    typ: 'at+jwt',\n", replace: '',
    test: { file: accessTokens, name: 'of another type is refused' },
  },
  {
    rule: 12, breaks: 'takes a token that expired an hour ago',
    file: auth, find: "    typ: 'at+jwt',\n", replace: "    typ: 'at+jwt',\n    clockTolerance: 3600,\n",
    also: [{ file: auth, find: 'identity.expiresAtMs <= Date.now()', replace: 'identity.expiresAtMs + 3_600_000 <= Date.now()' }],
    test: { file: accessTokens, name: 'that expired is refused' },
  },
  {
    rule: 12, breaks: 'knows the newest signing key alone',
    file: `${src}/signing-key-repository.ts`, find: "now() - ${keptAfterUse}\n     ORDER BY first_used_at DESC`", replace: "now() - ${keptAfterUse}\n     ORDER BY first_used_at DESC LIMIT 1`",
    test: { file: accessTokens, name: 'costs nobody their access: every replica and service takes the tokens of both' },
  },
  {
    rule: 12, breaks: 'asks accounts as often as somebody names an unknown key',
    file: auth, find: 'delay(Math.max(0, waitMs)', replace: 'delay(Math.max(0, waitMs * 0)',
    test: { file: authenticator, name: 'lets a hundred wait for the next ten seconds, and nobody twice for what it knows' },
  },
  {
    rule: 12, breaks: 'never hears of a new key while it runs',
    file: auth, find: "if (identity === 'unknown key') {", replace: "if (identity === ('no key' as never)) {",
    test: { file: authenticator, name: 'finds it, and asks for the keys alone, however many keys there are not' },
  },
  {
    rule: 12, breaks: 'lets any number of requests wait for keys that there are not',
    file: auth, find: 'const maxWaiting = 100;', replace: 'const maxWaiting = 10_000;',
    test: { file: authenticator, name: 'lets a hundred wait for the next ten seconds, and nobody twice for what it knows' },
  },
  {
    rule: 12, breaks: 'takes the tokens of a retired key for as long as it runs',
    file: auth, find: 'const reloadAfterMs = 10 * 60_000;', replace: 'const reloadAfterMs = Number.POSITIVE_INFINITY;',
    test: { file: authenticator, name: 'lets the old one count for ten minutes more, if accounts has retired it' },
  },
  {
    rule: 12, breaks: 'takes an access token in the refresh cookie',
    file: `${src}/refresh-session/refresh-session.ts`,
    find: '    const token = body.refreshToken ?? cookie.read(request);',
    replace: `    const [, access] = /refresh_token=(eyJ[\\w.-]+)/.exec(request.headers.cookie ?? '') ?? [];
    if (access) {
      const { userId, sessionId } = await deps.authenticator.verify(access);
      const user = (await shareLockUser(deps.pool, userId)) as never;
      const grant = { user, sessionId, refreshToken: access };
      return grantAccess(deps, { request, response }, { grant, inReply: false });
    }
    const token = cookie.read(request);`,
    test: { file: refreshSession, name: 'refuses an access token where a refresh token belongs, and the reverse' },
  },
  {
    rule: 13, breaks: 'refuses a used refresh token, and its family lives on',
    file: `${src}/domain/refresh-rules.ts`, find: "? 'replay' : 'end family'", replace: "? 'replay' : 'refuse'",
    test: { file: refreshSession, name: 'shown again later ends the family: every token of it, and access everywhere' },
  },
  {
    rule: 13, breaks: 'takes a used refresh token for an hour',
    file: `${src}/domain/refresh-rules.ts`, find: 'const replayWindowMs = 10_000;', replace: 'const replayWindowMs = 3_600_000;',
    test: { file: refreshSession, name: 'shown again later ends the family: every token of it, and access everywhere' },
  },
  {
    rule: 13, breaks: 'stores refresh tokens as they are',
    file: `${src}/session-repository.ts`,
    find: "createHash('sha256').update(token).digest();", replace: 'Buffer.from(token);',
    test: { file: refreshSession, name: 'stores no token, only hashes' },
  },
  {
    rule: 14, breaks: 'lets scripts read the refresh cookie',
    file: cookie, find: 'httpOnly: true', replace: 'httpOnly: false',
    test: { file: browser, name: 'keeps its tokens where no script of the page finds them' },
  },
  {
    rule: 14, breaks: 'keeps the access token in local storage',
    file: 'web/src/api/access-token.ts', find: '  accessToken = token;', replace: "  accessToken = token;\n  localStorage.setItem('token', token ?? '');",
    test: { file: browser, name: 'keeps its tokens where no script of the page finds them' },
  },
  {
    rule: 14, breaks: 'gives a page the refresh token that it asks for',
    file: `${src}/grant-access.ts`, find: 'inReply && !isFromPage(request)', replace: 'inReply',
    test: { file: refreshSession, name: 'is not %s, which gets a cookie and nothing else' },
  },
  {
    rule: 14, breaks: 'sends the cookie over http too',
    file: cookie, find: "secure: site.protocol !== 'http:'", replace: 'secure: false',
    test: { file: logIn, name: 'marks the cookie Secure where the site is on https' },
  },
  {
    rule: 15, breaks: 'listens to pages of other sites',
    file: cookie, find: 'if (!isOurs) throw crossSite();', replace: 'void [isOurs, crossSite];',
    test: { file: browser, name: 'can not post to %s in the name of who visits it' },
  },
  {
    rule: 15, breaks: 'sends the cookie along from other sites',
    file: cookie, find: "    sameSite: 'strict',\n", replace: '',
    test: { file: browser, name: 'can not post to %s in the name of who visits it' },
  },
  {
    rule: 15, breaks: 'clears the cookie for whoever asks without one',
    file: `${src}/log-out/log-out.ts`,
    find: '    cookie.refuseCrossSite(', replace: '    if (fromCookie) cookie.refuseCrossSite(',
    test: { file: logOut, name: 'clears no cookie for a page of another site, which got none from the browser' },
  },
  {
    rule: 15, breaks: 'mails a link for a page of another site',
    file: `${src}/request-password-token/request-password-token.ts`,
    find: 'deps.cookie.refuseCrossSite(request, { byCookie: false });', replace: '',
    test: { file: requestToken, name: 'is nothing for a page of another site that posts to %s' },
  },
  {
    rule: 16, breaks: 'tells no other replica who lost access',
    file: 'packages/service-runtime/src/consume-revocations.ts',
    find: 'handle: (event) => authenticator.revocations.apply(event),', replace: 'handle: () => {},',
    test: replicasTest,
  },
  {
    rule: 16, breaks: 'starts without knowing who lost access before',
    file: `${src}/access-tokens.ts`,
    find: 'return listRevocations(this.#database());', replace: 'return listRevocations(this.#database()).then(() => ({ sessions: [], users: [] }));',
    test: replicasTest,
  },
  {
    rule: 16, breaks: 'keeps the sockets of an ended session',
    file: 'services/notifications/src/push-live/live-hub.ts',
    find: 'if (identity && authenticator.revocations.refuses(identity)) socket', replace: 'if (!identity) socket?',
    test: { file: liveHub, name: 'is dropped when its session ends, and others are not' },
  },
  {
    rule: 16, breaks: "drops all of a user's sockets when one session ends",
    file: 'services/notifications/src/push-live/live-hub.ts',
    find: 'if (identity && authenticator.revocations.refuses(identity)) socket', replace: 'if (identity) socket',
    test: { file: liveHub, name: 'is dropped when its session ends, and others are not' },
  },
  {
    rule: 16, breaks: 'lets a former admin go on as one',
    file: 'packages/service-kit/src/revocations.ts',
    find: "event.type === 'RoleChanged' || event.data.disabled", replace: "event.type === 'AccountDisabled' && event.data.disabled",
    test: { file: liveHub, name: 'is dropped at RoleChanged' },
  },
  {
    rule: 16, breaks: 'cuts no token that its own replica did not issue',
    file: 'packages/service-kit/src/revocations.ts',
    find: 'token.userVersion < (', replace: 'token.userVersion < 0 * (',
    test: { file: `${src}/manage-users/manage-users.test.ts`, name: 'cuts the tokens of a replica whose clock is %d minutes off, and none that it issues after' },
  },
  {
    rule: 16, breaks: 'takes the last token before the cut',
    file: 'packages/service-kit/src/revocations.ts',
    find: 'this.#cutUser(userId, event.version);', replace: 'this.#cutUser(userId, event.version - 1);',
    test: { file: authenticator, name: 'cuts what was issued before, whatever the clocks of those who tell of it say' },
  },
  {
    rule: 16, breaks: 'lets somebody who was disabled go on',
    file: 'packages/service-kit/src/revocations.ts',
    find: "event.type === 'RoleChanged' || event.data.disabled", replace: "event.type === 'RoleChanged'",
    test: { file: liveHub, name: 'is dropped at AccountDisabled' },
  },
  {
    rule: 17, breaks: 'looks at thirty guesses from one address',
    file: limits, find: "limiter('login-account-ip', 10, quarterHour)", replace: "limiter('login-account-ip', 30, quarterHour)",
    test: guessingTest,
  },
  {
    rule: 17, breaks: 'slows nobody who guesses from everywhere',
    file: limits, find: 'await delay(slowdownMs(consumedPoints, factor));', replace: 'void [consumedPoints, slowdownMs, delay];',
    test: slowdownTest,
  },
  {
    rule: 17, breaks: 'locks an account that is attacked from everywhere',
    file: limits, find: "limiter('login-account', 1e6, quarterHour)", replace: "limiter('login-account', 100, quarterHour)",
    test: slowdownTest,
  },
  {
    rule: 17, breaks: "lets a stranger use up another's links",
    file: limits, find: 'await take(resetOfAccountAndIp, keyOf(email, network));', replace: 'await take(resetOfAccountAndIp, keyOf(email));',
    test: { file: requestToken, name: 'is answered five times an hour from one network, for an account or for none' },
  },
  {
    rule: 17, breaks: 'mails a link as often as anybody asks',
    file: `${src}/request-password-token/request-password-token.ts`,
    find: "    if (await hasFreshToken(tx, 'password', userId)) return;\n", replace: '    void hasFreshToken;\n',
    test: { file: requestToken, name: 'has one link mailed in a quarter of an hour, however many ask, and says the same' },
  },
];
