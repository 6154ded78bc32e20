-- What a user sees of a session. The previous version leaves these columns empty.
ALTER TABLE sessions
  ADD COLUMN device text,
  -- A network of at least 256 addresses; never a single address.
  ADD COLUMN network text,
  ADD COLUMN used_at timestamptz,
  -- When the user proved their identity. Null if the previous version started the session.
  ADD COLUMN authenticated_at timestamptz;
