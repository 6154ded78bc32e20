-- A copy of accounts' blocks. The row of a pair stays when it is unblocked, because its events may arrive in any order.
CREATE TABLE blocks (
  blocker_id uuid NOT NULL,
  blocked_id uuid NOT NULL,
  version integer NOT NULL,
  blocked boolean NOT NULL,
  PRIMARY KEY (blocker_id, blocked_id)
);
CREATE INDEX blocks_blocked_id ON blocks (blocked_id) WHERE blocked;
