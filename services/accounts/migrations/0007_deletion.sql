ALTER TABLE users
  -- When an account is deleted at its user's request. Until then it is disabled, also for replicas of the previous version.
  ADD COLUMN deletion_due_at timestamptz,
  -- Since then the row has no personal data any more. It stays, because bookings and payments refer to it.
  ADD COLUMN deleted_at timestamptz;

-- A replica of the previous version that enables an account clears only `disabled_at`.
CREATE FUNCTION keep_enabled_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.deletion_due_at := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_enabled_account BEFORE UPDATE OF disabled_at ON users
  FOR EACH ROW WHEN (NEW.disabled_at IS NULL AND NEW.deletion_due_at IS NOT NULL) EXECUTE FUNCTION keep_enabled_account();
