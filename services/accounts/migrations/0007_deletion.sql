ALTER TABLE users
  -- When the account is deleted at its user's request. disabled_at is set until then, so replicas of 1.0 reject it too.
  ADD COLUMN deletion_due_at timestamptz,
  -- From then on the row has no personal data. It stays because bookings and payments refer to it.
  ADD COLUMN deleted_at timestamptz;

-- A replica of 1.0 that enables an account clears only `disabled_at`.
CREATE FUNCTION keep_enabled_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.deletion_due_at := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_enabled_account BEFORE UPDATE OF disabled_at ON users
  FOR EACH ROW WHEN (NEW.disabled_at IS NULL AND NEW.deletion_due_at IS NOT NULL) EXECUTE FUNCTION keep_enabled_account();
