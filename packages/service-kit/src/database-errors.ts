/**
 * What may end any statement, whatever it says. A connection that can't be made or breaks (08, 57P01 to 57P05, 28: a
 * password that is being changed), a server that is read-only (25006: a standby after a failover, or an operator's
 * brake), out of disk, memory or connections (53), or whose files fail (58).
 */
const postgresOutage = /^(?:08...|25006|28(?:000|P01)|53[0-3]..|57P0[1-5]|58...)$/;
/** Node's, of the way to the server. */
const networkOutage =
  /^(?:EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EPIPE|ETIMEDOUT)$/;
/** pg's, which have no code. */
const clientOutage =
  /Connection terminated|not queryable|Query read timeout|^timeout expired|timeout exceeded when trying to connect/i;
/** MongoDB's driver: no way to the server, or none in time; a write that the replica set did not acknowledge. */
const mongoDriverOutage =
  /^Mongo(?:ose)?(?:Network|ServerSel|ServerClosed|ClientClosed|Pool|WaitQueue|NotConn|Topology|StalePrimary|WriteConcern|OperationTimeout)/;
const mongoOutages = new Set<unknown>([
  // Unreachable, or no answer from another member: HostUnreachable, HostNotFound, NetworkTimeout, SocketException.
  ...[6, 7, 89, 9_001],
  // Changing roles or shutting down: ShutdownInProgress, PrimarySteppedDown, NotWritablePrimary, InterruptedAtShutdown,
  // InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary.
  ...[91, 189, 10_107, 11_600, 11_602, 13_435, 13_436],
  // Not acknowledged by the majority: WriteConcernTimeout, UnsatisfiableWriteConcern.
  ...[64, 100],
  // The disk: FileStreamFailed, OutOfDiskSpace; and UserWritesBlocked, which is read-only.
  ...[39, 14_031, 371],
  // A password that is being changed, files and storage that are used up: AuthenticationFailed, TooManyFilesOpen,
  // TemporarilyUnavailable.
  ...[18, 264, 365],
]);

/** Timeouts of a statement (57014), a lock (55P03) and a transaction (25P03, 25P04); a temporary file's limit (53400). */
const postgresLimit = /^(?:57014|55P03|25P0[34]|53400)$/;
/** LockTimeout, MaxTimeMSExpired, ExceededTimeLimit, Interrupted. */
const mongoLimits = new Set<unknown>([24, 50, 262, 11_601]);

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

/** True for errors of the server or the way to it: nobody's work can be done until it is over. */
export const isDatabaseOutage = (error: unknown): boolean => {
  const { message, name, errorResponse } = (error ?? {}) as Partial<Error> & {
    errorResponse?: unknown;
  };
  // MongoDB's driver wraps what ended a bulk write.
  if (errorResponse instanceof Error) return isDatabaseOutage(errorResponse);
  const code = codeOf(error);
  if (mongoDriverOutage.test(name ?? '') || mongoOutages.has(code)) return true;
  if (typeof code !== 'string') return clientOutage.test(message ?? '');
  return postgresOutage.test(code) || networkOutage.test(code);
};

/**
 * True where the database ended this work alone, because it took too long: a busy server, after which the next try
 * succeeds, or a statement that is always too slow.
 */
export const isCutShort = (error: unknown): boolean => {
  const code = codeOf(error);
  return mongoLimits.has(code) || postgresLimit.test(String(code));
};

/** The SQLSTATE of a constraint's violation and the constraint's name, when the error is one. */
export const violatedConstraint = (error: unknown): string | undefined => {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' || code === '23P01' || code === '23503' ? constraint : undefined;
};

/** Whether a MongoDB write failed because its unique key already exists. */
export const isDuplicateKey = (error: unknown): boolean => codeOf(error) === 11_000;
