-- Admins have one of three roles. Replicas of 1.0 take `Support` and `Finance` for members.
ALTER TABLE users DROP CONSTRAINT users_role_check;
ALTER TABLE users ADD CONSTRAINT users_role_check CHECK (role IN ('User', 'Support', 'Finance', 'Admin')) NOT VALID;
ALTER TABLE users VALIDATE CONSTRAINT users_role_check;
CREATE INDEX users_with_limited_admin_role ON users (id) WHERE role IN ('Support', 'Finance');

-- What admins did and read, append-only (ADR 24).
CREATE TABLE audit_entries (
  -- A UUIDv7 of when the admin acted, so that ids are ordered by time.
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  -- Null for a command of the operator.
  actor_id uuid,
  actor_role text,
  action text NOT NULL,
  subject text,
  details jsonb NOT NULL,
  -- A keyed hash of the network, of logins only.
  network text,
  request_id text
);
CREATE INDEX audit_entries_of_actor ON audit_entries (actor_id, id DESC);
CREATE INDEX audit_entries_of_action ON audit_entries (action, id DESC);
CREATE INDEX audit_entries_of_subject ON audit_entries (subject, id DESC) WHERE subject IS NOT NULL;
CREATE INDEX audit_entries_by_time ON audit_entries USING brin (at);

CREATE FUNCTION reject_change_of_audit_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE 'The audit log is append-only' USING ERRCODE = 'restrict_violation';
END $$;
-- Not on TRUNCATE, which a restore needs.
CREATE TRIGGER reject_change_of_audit_entries BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change_of_audit_entries();
-- The trigger also stops a superuser, to whom privileges do not apply.
REVOKE UPDATE, DELETE ON audit_entries FROM CURRENT_USER;
