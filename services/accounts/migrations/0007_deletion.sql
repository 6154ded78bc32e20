ALTER TABLE users
  -- When an account is deleted at its user's request. Until then it is disabled, also for replicas of the previous version.
  ADD COLUMN deletion_due_at timestamptz,
  -- Since then the row has no personal data any more. It stays, because bookings and payments refer to it.
  ADD COLUMN deleted_at timestamptz;
